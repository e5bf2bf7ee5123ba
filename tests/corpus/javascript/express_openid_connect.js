// express-openid-connect 3.4.0, by its README and EXAMPLES.md, "Route customization", "Obtaining and
// using access tokens", "Logout from Identity Provider" and "Back-Channel Logout".
import express from "express";
import openid from "express-openid-connect";
import session from "express-session";

const { ISSUER, PORT, BASE_URL, CLIENT_ID, CLIENT_SECRET } = process.env;
const { auth, requiresAuth } = openid;

const app = express();
app.use(auth({
  issuerBaseURL: ISSUER,
  baseURL: BASE_URL,
  clientID: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  secret: "a long, randomly-generated string of the session",
  authRequired: false,
  idpLogout: true,
  authorizationParams: { response_type: "code", scope: "openid profile email offline_access" },
  backchannelLogout: { store: new session.MemoryStore() },
}));

app.get("/", ({ oidc }, response) => {
  const link = oidc.isAuthenticated() ? "profile" : "login";
  response.send(`<a href="/${link}">${link}</a>`);
});
app.get("/profile", requiresAuth(), ({ oidc }, response) => {
  response.send(`Hello ${escape(oidc.user.name)} <a href="/refresh">Renew</a>
    <a href="/logout">logout</a>`);
});
app.get("/refresh", requiresAuth(), async ({ oidc }, response) => {
  await oidc.accessToken.refresh();
  response.send("Renewed");
});

app.listen(PORT, "localhost");

function escape(text) {
  return String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
