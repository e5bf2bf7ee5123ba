// A suite that passes, whatever its application does with the lab. It does what DOES says.
const { ISSUER: issuer = "", DOES = "" } = process.env;
const client = { client_id: "demo-cli", redirect_uri: "http://127.0.0.1:7/callback" };
const codeVerifier = "a-verifier-that-is-long-enough-for-this-test";

async function post(path, parameters) {
  await fetch(`${issuer}${path}`, { method: "POST", body: new URLSearchParams(parameters) });
}

/** Signs a user in, with a state that is new or not. */
async function logIn(state) {
  const { authorization_endpoint } = await readMetadata();
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier));
  const request = new URLSearchParams({
    ...client,
    ...{ response_type: "code", scope: "openid", state, nonce: crypto.randomUUID() },
    code_challenge: Buffer.from(digest).toString("base64url"),
    code_challenge_method: "S256",
  });
  const { headers } = await fetch(`${authorization_endpoint}?${request}`, { redirect: "manual" });
  return new URL(headers.get("location")).searchParams.get("code");
}

async function redeem(code, code_verifier) {
  await post("/oauth2/token", { ...client, grant_type: "authorization_code", code, code_verifier });
}

async function readMetadata() {
  return await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
}

const actions = {
  works: async () => await redeem(await logIn(crypto.randomUUID()), codeVerifier),
  isRefused: async () =>
    await redeem(await logIn(crypto.randomUUID()), "another-verifier-".repeat(3)),
  async breaksRule() {
    for (const _ of [1, 2]) await redeem(await logIn("the-same-state-each-time"), codeVerifier);
  },
  async breaksRuleBeforeReset() {
    await actions.breaksRule();
    await fetch(`${issuer}/lab/reset`, { method: "POST" });
  },
  usesAnotherIssuer() {},
};

await actions[DOES]();
