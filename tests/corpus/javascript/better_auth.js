// better-auth 1.7.25 in Express, by its documentation, "Express" and "Generic OAuth". Its client posts
// JSON from a script; the form of this page does the same without one.
import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { fromNodeHeaders, toNodeHandler } from "better-auth/node";
import { genericOAuth } from "better-auth/plugins";
import express from "express";

const { ISSUER, PORT, BASE_URL, CLIENT_ID, CLIENT_SECRET } = process.env;
const auth = betterAuth({
  baseURL: BASE_URL,
  secret: "a secret of the session, of 32 letters or more",
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  telemetry: { enabled: false },
  rateLimit: { enabled: false },
  plugins: [genericOAuth({
    config: [{
      providerId: "lab",
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      discoveryUrl: `${ISSUER}/.well-known/openid-configuration`,
      scopes: ["openid", "email", "profile"],
    }],
  })],
});

const app = express();
app.all("/api/auth/*splat", toNodeHandler(auth));

app.get("/", (_request, response) => {
  response.send(`<form method="post" action="/sign-in"><button>Sign in</button></form>`);
});
app.post("/sign-in", async (request, response) => {
  const answer = await auth.api.signInSocial({
    body: { provider: "lab", callbackURL: "/account", errorCallbackURL: "/failed" },
    headers: fromNodeHeaders(request.headers),
    asResponse: true,
  });
  response.setHeader("Set-Cookie", answer.headers.getSetCookie());
  response.redirect((await answer.json()).url);
});
app.get("/account", async (request, response) => {
  const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) });
  if (!session) return response.redirect("/");
  response.send(`Hello ${escape(session.user.name)}
    <form method="post" action="/sign-out"><button>Sign out</button></form>`);
});
app.get("/failed", (_request, response) => response.status(401).send("Failed"));
app.post("/sign-out", async (request, response) => {
  const headers = fromNodeHeaders(request.headers);
  const answer = await auth.api.signOut({ headers, asResponse: true });
  response.setHeader("Set-Cookie", answer.headers.getSetCookie());
  response.redirect("/");
});

app.listen(PORT, "localhost");

function escape(text) {
  return String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
