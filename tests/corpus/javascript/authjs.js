// Auth.js: @auth/express 0.12.3, by its documentation, "Express", and "Configuring OAuth providers".
import { ExpressAuth, getSession } from "@auth/express";
import express from "express";

const { ISSUER, PORT, CLIENT_ID, CLIENT_SECRET } = process.env;
const config = {
  providers: [{
    id: "lab",
    name: "Lab",
    type: "oidc",
    issuer: ISSUER,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
  }],
  secret: "a secret of the session, of 32 letters or more",
  trustHost: true,
};

const app = express();
app.use("/auth", ExpressAuth(config));

app.get("/", (_request, response) => response.send(`<a href="/auth/signin">Sign in</a>`));
app.get("/protected", async (request, response) => {
  const session = await getSession(request, config);
  if (!session?.user) return response.redirect("/auth/signin?callbackUrl=/protected");
  response.send(`Hello ${escape(session.user.name)} <a href="/auth/signout">Sign out</a>`);
});

app.listen(PORT, "localhost");

function escape(text) {
  return String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
