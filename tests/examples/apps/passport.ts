// The application under test: Express with Passport. It contains no test code.
import express, { type Express } from "express";
import session from "express-session";
import type { Passport } from "passport";

/** Returns the application; the strategy of `users` that it uses is called "oidc". */
export function createApp(users: InstanceType<typeof Passport>): Express {
  users.serializeUser((user, done) => done(null, user));
  users.deserializeUser((user: Express.User, done) => done(null, user));

  const app = express();
  app.use(session({ secret: "a secret", resave: false, saveUninitialized: false }));
  app.use(users.session());
  app.get("/login", users.authenticate("oidc"));
  app.get("/callback", users.authenticate("oidc", { successRedirect: "/profile" }));
  app.get("/profile", ({ user }, response) => void response.json(user ?? null));
  return app;
}
