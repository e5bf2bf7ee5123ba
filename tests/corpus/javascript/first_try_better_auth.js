// better-auth 1.7.25 in Express by its documentation, with what `hallpass client add --app` prints for
// its auth.ts. Its client posts JSON from a script, as the page does here.
import { fromNodeHeaders, toNodeHandler } from "better-auth/node";
import express from "express";

const { LINES, PORT } = process.env;
const { auth } = await import(LINES);

const signIn = `<button id="sign-in">Sign in</button>
<script type="module">
  document.querySelector("#sign-in").onclick = async () => {
    const response = await fetch("/api/auth/sign-in/social", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ provider: "hallpass", callbackURL: "/account" }),
    });
    location = (await response.json()).url;
  };
</script>`;
const signOut = `<button id="sign-out">Sign out</button>
<script type="module">
  document.querySelector("#sign-out").onclick = async () => {
    await fetch("/api/auth/sign-out", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
    });
    location = "/";
  };
</script>`;

const app = express();
app.all("/api/auth/*splat", toNodeHandler(auth));
app.get("/", (_request, response) => response.send(signIn));
app.get("/account", async (request, response) => {
  const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) });
  if (!session) return response.redirect("/");
  response.send(`<pre>${JSON.stringify(session.user).replaceAll("<", "&lt;")}</pre>${signOut}`);
});
app.listen(PORT, "localhost");
