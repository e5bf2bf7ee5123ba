// openid-client 6.9.0 in Express, by its README, "Authorization Code Flow", and examples/oidc.ts:
// PKCE and a nonce; a state where the server does not support PKCE.
import express from "express";
import session from "express-session";
import * as client from "openid-client";

const { ISSUER, PORT, BASE_URL, CLIENT_ID, CLIENT_SECRET } = process.env;
const redirect_uri = `${BASE_URL}/callback`;
const config = await client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, {
  execute: [client.allowInsecureRequests],
});

const app = express();
app.use(session({ secret: "a secret of the session", resave: false, saveUninitialized: false }));

app.get("/", (request, response) => {
  response.send(
    request.session.claims ? `<a href="/account">Account</a>` : `<a href="/login">Sign in</a>`,
  );
});

app.get("/login", async (request, response) => {
  const code_verifier = client.randomPKCECodeVerifier();
  const code_challenge = await client.calculatePKCECodeChallenge(code_verifier);
  const nonce = client.randomNonce();
  request.session.login = { code_verifier, nonce };
  const scope = "openid profile email offline_access";
  const code_challenge_method = "S256";
  const parameters = { redirect_uri, scope, nonce, code_challenge, code_challenge_method };
  response.redirect(client.buildAuthorizationUrl(config, parameters).href);
});

app.get("/callback", async (request, response) => {
  const { code_verifier, nonce } = request.session.login ?? {};
  const url = new URL(request.originalUrl, BASE_URL);
  const tokens = await client.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: code_verifier,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  const userinfo = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
  await new Promise((resolve) => request.session.regenerate(resolve));
  Object.assign(request.session, { tokens, claims, userinfo });
  response.redirect("/account");
});

app.get("/account", (request, response) => {
  const { claims, userinfo } = request.session;
  if (!claims) return response.redirect("/login");
  response.send(`<h1>Hello ${escape(userinfo.name)}</h1><p>${escape(userinfo.email)}</p>
    <a href="/refresh">Renew</a> <a href="/logout">Sign out</a>`);
});

app.get("/refresh", async (request, response) => {
  const { tokens, claims } = request.session;
  if (!tokens) return response.redirect("/login");
  const renewed = await client.refreshTokenGrant(config, tokens.refresh_token);
  if (renewed.claims() && renewed.claims().sub !== claims.sub) throw new Error("Another user");
  request.session.tokens = { ...tokens, ...renewed };
  response.send("Renewed");
});

app.get("/logout", (request, response) => {
  const id_token_hint = request.session.tokens?.id_token;
  const url = client.buildEndSessionUrl(config, {
    post_logout_redirect_uri: `${BASE_URL}/`,
    ...id_token_hint && { id_token_hint },
  });
  request.session.destroy(() => response.redirect(url.href));
});

app.listen(PORT, "localhost");

function escape(text) {
  return String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
