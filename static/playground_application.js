// An application that signs a user in: OpenID Connect with PKCE, by hand, without a package.
// Change it, and press "Run". `openInLab` shows a page of the lab, as a link or a window would,
// and returns the URL that the browser comes back with.

const text = document.getElementById("text");
document.getElementById("sign-in").onclick = () =>
  signIn().catch((problem) => text.textContent = `Stopped: ${problem.message}`);

async function signIn() {
  const metadata = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const server = await getJson(metadata).catch(() => {
    throw new Error("This server has no metadata of OpenID Connect.");
  });

  // What the callback and the tokens are compared with. All of it is random, and stays here.
  const state = randomText();
  const nonce = randomText();
  const verifier = randomText();

  const request = new URL(server.authorization_endpoint);
  request.search = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: ["openid", "profile"].filter((name) => server.scopes_supported.includes(name)).join(" "),
    state,
    nonce,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: "S256",
  });
  text.textContent = "Sign in on the page of the lab.";
  const callback = new URL(await openInLab(request)).searchParams;

  const comesFrom = server.authorization_response_iss_parameter_supported
    ? callback.get("iss")
    : issuer;
  if (comesFrom !== issuer) throw new Error("The callback is from another server.");
  if (callback.get("state") !== state) throw new Error("The callback has another state.");
  if (callback.has("error")) throw new Error(callback.get("error_description"));

  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code: callback.get("code"),
    redirect_uri: redirectUri,
    client_id: clientId,
    code_verifier: verifier,
  });
  const tokens = await getJson(server.token_endpoint, { method: "POST", body });

  const claims = JSON.parse(
    atob(tokens.id_token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/")),
  );
  if (claims.iss !== issuer || claims.aud !== clientId) throw new Error("The ID token is foreign.");
  if (claims.nonce !== nonce) throw new Error("The ID token has another nonce.");

  const headers = { Authorization: `Bearer ${tokens.access_token}` };
  const readUser = async () =>
    server.userinfo_endpoint ? await getJson(server.userinfo_endpoint, { headers }) : claims;
  const user = await readUser();
  text.textContent = `Hello, ${user.name ?? user.sub}!`;
}

async function getJson(url, options) {
  const response = await fetch(url, options);
  const value = await response.json();
  if (!response.ok) throw new Error(value.error_description ?? `The status is ${response.status}.`);
  return value;
}

function randomText() {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

async function challengeOf(verifier) {
  return base64url(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));
}

function base64url(bytes) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
}
