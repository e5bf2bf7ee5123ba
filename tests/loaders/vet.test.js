// Jest with its defaults: the functions of the runner are global, and the package is in CommonJS.
const { createHash } = require("node:crypto");
const { collectTests } = require("hallpass/vet");

const { hallpass, describe, test, beforeAll, afterAll, vet } = collectTests(
  globalThis,
);
const verifier = "a-verifier-of-at-least-43-characters-is-needed";
const challenge = createHash("sha256").update(verifier).digest("base64url");
let lab, redirect_uri;

beforeAll(async () => {
  lab = await hallpass();
  redirect_uri = `${lab.issuer}/authorized`;
});

afterAll(() => lab.close());

/** A login that checks the state, and nothing else. */
async function signIn() {
  const client = { client_id: "demo-spa", redirect_uri };
  const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
  const request = {
    ...client,
    ...pkce,
    response_type: "code",
    scope: "openid",
    state: "a-state",
  };
  const url = `${lab.issuer}/oauth2/authorize?${new URLSearchParams(request)}`;
  const parameters = new URL((await lab.authorize(url, { user: "alice" })).callback).searchParams;
  if (parameters.getAll("state").join() !== "a-state") {
    throw new Error("wrong state");
  }
  const grant = {
    ...client,
    grant_type: "authorization_code",
    code: parameters.get("code"),
  };
  const body = new URLSearchParams({ ...grant, code_verifier: verifier });
  return await (await lab.fetch(`${lab.issuer}/oauth2/token`, {
    method: "POST",
    body,
  })).json();
}

describe("A login", () => {
  test("gets an ID token", async () => {
    expect((await signIn()).id_token).toBeDefined();
  });

  test("waits for a callback", (done) => void setTimeout(done, 1));
});

let result;
vet({
  only: ["callback.wrong_state", "id_token.wrong_aud"],
  baseline: {
    hallpass: "0.1.0",
    outcomes: { "id_token.wrong_aud": "finding" },
  },
  onResult: ({ report }) => void (result = report),
});

test("the state is checked, and the audience is not", () => {
  expect(result.variants.map(({ fault, group }) => [fault, group])).toEqual([
    ["callback.wrong_state", "noticed"],
    ["id_token.wrong_aud", "accepted"],
  ]);
});
