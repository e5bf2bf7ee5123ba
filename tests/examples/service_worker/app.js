// The application: it registers the worker, and uses it as any other server.
const issuer = `${location.origin}/id`;
const redirectUri = `${location.origin}/callback`;

/** Starts the worker, and returns the URL at which the user signs in. */
export async function authorizationUrl() {
  await navigator.serviceWorker.register("/worker.js");
  await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) {
    await new Promise((resolve) => {
      navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
    });
  }
  const { authorization_endpoint } = await discover();
  const verifier = toBase64url(crypto.getRandomValues(new Uint8Array(32)));
  sessionStorage.setItem("verifier", verifier);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "app",
    redirect_uri: redirectUri,
    scope: "openid read",
    code_challenge: toBase64url(new Uint8Array(digest)),
    code_challenge_method: "S256",
  });
  return `${authorization_endpoint}?${query}`;
}

/** Exchanges the code of the callback for tokens. */
export async function redeem() {
  const { token_endpoint } = await discover();
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code: new URLSearchParams(location.search).get("code") ?? "",
    redirect_uri: redirectUri,
    client_id: "app",
    code_verifier: sessionStorage.getItem("verifier") ?? "",
  });
  return await (await fetch(token_endpoint, { method: "POST", body })).json();
}

async function discover() {
  return await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
}

function toBase64url(bytes) {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
