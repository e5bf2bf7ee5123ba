// The application under test: Express with express-openid-connect. It contains no test code.
import express, { type Express } from "express";
import openid, { type ConfigParams } from "express-openid-connect";

export function createApp(settings: ConfigParams): Express {
  const app = express();
  app.use(openid.auth({
    clientID: "web",
    secret: "a secret for the session cookie",
    authRequired: false,
    idpLogout: true,
    authorizationParams: { response_type: "code", scope: "openid profile" },
    ...settings,
  }));
  app.get("/", (_request, response) => void response.send("Welcome"));
  app.get("/profile", openid.requiresAuth(), ({ oidc }, response) => {
    response.send(`Hello ${oidc.user?.name}`);
  });
  app.get("/office", openid.requiresAuth(), ({ oidc }, response) => {
    const isAdmin = oidc.user?.roles?.includes("admin");
    response.status(isAdmin ? 200 : 403).send(isAdmin ? "The books" : "For administrators");
  });
  return app;
}
