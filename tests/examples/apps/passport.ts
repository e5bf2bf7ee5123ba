// The application under test: Express with Passport and openid-client. It contains no test code.
import express, { type Express } from "express";
import session from "express-session";
import { Strategy, type StrategyOptions } from "openid-client/passport";
import passport from "passport";

export function createApp(options: StrategyOptions): Express {
  const users = new passport.Passport();
  users.use(
    "oidc",
    new Strategy(
      options,
      (tokens, verified) => verified(null, tokens.claims()),
    ),
  );
  users.serializeUser((user, done) => done(null, user));
  users.deserializeUser((user: Express.User, done) => done(null, user));

  const app = express();
  app.use(
    session({ secret: "a secret", resave: false, saveUninitialized: false }),
  );
  app.use(users.session());
  app.get("/login", users.authenticate("oidc"));
  app.get(
    "/callback",
    users.authenticate("oidc", { successRedirect: "/profile" }),
  );
  app.get("/profile", ({ user }, response) => void response.json(user ?? null));
  return app;
}
