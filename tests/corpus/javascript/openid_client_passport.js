// The Passport strategy of openid-client 6.9.0, by its examples/passport.ts.
import express from "express";
import session from "express-session";
import * as client from "openid-client";
import { Strategy } from "openid-client/passport";
import passport from "passport";

const { ISSUER, PORT, BASE_URL, CLIENT_ID, CLIENT_SECRET } = process.env;
const config = await client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, {
  execute: [client.allowInsecureRequests],
});

const app = express();
app.use(session({ secret: "a secret of the session", resave: false, saveUninitialized: false }));
app.use(passport.authenticate("session"));

const options = { config, scope: "openid email profile", callbackURL: `${BASE_URL}/callback` };
passport.use("lab", new Strategy(options, (tokens, verified) => verified(null, tokens.claims())));
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

app.get("/", ensureLoggedIn, (request, response) => {
  response.send(`Welcome ${escape(request.user.email ?? request.user.sub)}
    <a href="/logout">Logout</a>`);
});
app.get("/login", passport.authenticate("lab"));
app.get("/callback", passport.authenticate("lab", { successRedirect: "/" }));
app.get("/logout", (request, response) => {
  request.logout(() => {
    const post_logout_redirect_uri = `${BASE_URL}/goodbye`;
    response.redirect(client.buildEndSessionUrl(config, { post_logout_redirect_uri }).href);
  });
});
app.get("/goodbye", (_request, response) => response.send("Goodbye"));

app.listen(PORT, "localhost");

function ensureLoggedIn(request, response, next) {
  return request.isAuthenticated() ? next() : response.redirect("/login");
}

function escape(text) {
  return String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
