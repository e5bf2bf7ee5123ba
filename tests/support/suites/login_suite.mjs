// A suite of one test, without any library: a login, whose client tolerates what TOLERATED names.
const { ISSUER: issuer = "", TOLERATED = "" } = process.env;
const tolerated = TOLERATED.split(",");

function check(name, holds) {
  if (!holds && !tolerated.includes(name)) throw new Error(`not ok: ${name}`);
}

async function readJson(url, init) {
  const response = await fetch(url, init);
  check("status", response.ok);
  return await response.json();
}

const provider = await readJson(`${issuer}/.well-known/openid-configuration`);
check("issuer", provider.issuer === issuer);
const [client_id, redirect_uri, state] = ["demo-cli", "http://127.0.0.1:7/callback", "a-state"];
const code_verifier = "a-verifier-that-is-long-enough-for-a-test-of-vet";
const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code_verifier));
const request = new URLSearchParams({
  response_type: "code",
  client_id,
  redirect_uri,
  scope: "openid",
  state,
  code_challenge: Buffer.from(digest).toString("base64url"),
  code_challenge_method: "S256",
});
const { headers } = await fetch(`${provider.authorization_endpoint}?${request}`, {
  redirect: "manual",
});
const { searchParams } = new URL(headers.get("location"));
check("state", searchParams.get("state") === state);
const tokens = await readJson(provider.token_endpoint, {
  method: "POST",
  body: new URLSearchParams({
    grant_type: "authorization_code",
    client_id,
    redirect_uri,
    code_verifier,
    code: searchParams.get("code"),
  }),
});
const authorization = `Bearer ${tokens.access_token}`;
await readJson(provider.userinfo_endpoint, { headers: { authorization } });
