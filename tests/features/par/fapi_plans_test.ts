import { assert, assertEquals, assertMatch } from "@std/assert";
import { UnsecuredJWT } from "jose";
import { describe, it } from "node:test";
import { callbackUri } from "../../conformance/suite.ts";
import { makeClientKey } from "../../support/client_key.ts";
import { type ProofChanges, proofKey } from "../../support/dpop.ts";
import { claimsOf, read, type ReadResponse, startOfTime } from "../../support/flow_kit.ts";
import { present } from "../../support/present.ts";
import {
  type FapiSuite,
  first,
  issuer,
  openFapiSuite,
  type PushChanges,
  second,
  type TokenChanges,
} from "./fapi_suite.ts";

const minute = 60;
const now = startOfTime / 1000;
const elsewhere = "https://another-server.example";
const anotherUri = { request_uri: "urn:ietf:params:oauth:request_uri:another" };
const unregistered = { redirect_uri: `${callbackUri}/other` };
const rs256Key = await makeClientKey("RS256");
const requestErrors = /^(invalid_request|invalid_request_object)$/;

/*
 * The modules of both plans, by their names without the common prefix. The modules for other
 * ecosystems (Brazil, ConnectID, CDR, KSA) and for grant management do not apply.
 */

/** What a module shows, and how. */
type PlanModule = [shows: string, run: (suite: FapiSuite) => Promise<void>];

const modules: Record<string, PlanModule> = {
  "discovery-end-point-verification": ["PAR, iss, S256, the algorithms of the profile", async (
    { kit },
  ) => {
    const { body } = await read(await kit.get("/.well-known/openid-configuration"));
    assertMatch(body.pushed_authorization_request_endpoint, /^https:/);
    assertEquals(body.require_pushed_authorization_requests, true);
    assertEquals(body.response_types_supported, ["code"]);
    assertEquals(body.authorization_response_iss_parameter_supported, true);
    assertEquals(body.code_challenge_methods_supported, ["S256"]);
    const lists = Object.entries(body).filter(([name]) => name.endsWith("_alg_values_supported"));
    const algs = new Set(lists.flatMap(([, algs]) => algs as string[]));
    assertEquals(algs.difference(new Set(["PS256", "ES256", "EdDSA", "Ed25519"])), new Set());
  }],
  "happy-flow": ["bound tokens for both clients", async (suite) => {
    for (const client of [first, second]) {
      const code = await suite.code({ client });
      const { status, body } = await suite.redeem(code, { client });
      assertEquals([status, body.token_type], [200, "DPoP"]);
      assertEquals(claimsOf(body.access_token).cnf.jkt, client.proofKey.jkt);
      assertEquals(claimsOf(body.id_token).nonce, "a-nonce");
    }
  }],
  "user-rejects-authentication": ["access_denied", async (suite) => {
    const { parameters } = await suite.complete({}, { actions: { decision: "deny" } });
    assertEquals([parameters.get("error"), parameters.get("state")], ["access_denied", "a-state"]);
  }],
  "ensure-authorization-request-without-state-success": returnsState(undefined),
  "ensure-authorization-request-without-nonce-success": keepsNonce(undefined),
  "ensure-authorization-request-with-64-char-nonce-success": keepsNonce("n".repeat(64)),
  "ensure-authorization-request-with-long-nonce": keepsNonce("n".repeat(384)),
  "ensure-authorization-request-with-long-state": returnsState("s".repeat(384)),
  "ensure-different-nonce-inside-and-outside-request-object": keepsNonce("a-nonce", "another"),
  "ensure-different-state-inside-and-outside-request-object": returnsState("a-state", "another"),
  "state-only-outside-request-object-not-used": returnsState(undefined, "outside"),
  "par-without-duplicate-parameters": returnsState("a-state"),
  "ensure-other-scope-order-succeeds": issues({ parameters: { scope: "email openid" } }),
  "test-claims-parameter-identity-claims": ["the claims that were asked for", async (suite) => {
    const claims = '{"id_token":{"email":null},"userinfo":{"name":{"essential":true}}}';
    const { body } = await suite.redeem(await suite.code({ parameters: { claims } }));
    assertEquals(claimsOf(body.id_token).email, "alice@example.com");
    assertEquals((await suite.userinfo(body.access_token)).body.name, "Alice Adler");
  }],
  "access-token-type-header-case-sensitivity": ["the scheme DPoP in any case", async (suite) => {
    const { access_token } = (await suite.redeem(await suite.code())).body;
    for (const scheme of ["dPoP", "DPOP"]) {
      assertEquals((await suite.userinfo(access_token, {}, scheme)).status, 200);
    }
  }],
  "check-dpop-proof-nbf-exp": issues({}, { proof: { claims: { nbf: now, exp: now + minute } } }),
  "ensure-dpopproof-with-iat-10seconds-before-succeeds": issues({}, {
    proof: { claims: { iat: now - 10 } },
  }),
  "ensure-dpopproof-with-iat-10seconds-after-succeeds": issues({}, {
    proof: { claims: { iat: now + 10 } },
  }),
  "ensure-dpopproof-at-par-endpoint-binding-success": issues({ proves: true }),
  "ensure-dpop-auth-code-binding-success": issues({ parameters: { dpop_jkt: first.proofKey.jkt } }),
  "ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt": mismatch({ proves: true }),
  "ensure-token-endpoint-fails-with-mismatched-dpop-jkt": mismatch({
    parameters: { dpop_jkt: first.proofKey.jkt },
  }),
  "ensure-unsigned-authorization-request-without-using-par-fails": ["an error", async ({ kit }) => {
    const url = kit.authorizationUrl({ client_id: first.id, redirect_uri: callbackUri });
    const { url: end } = await kit.browser().open(url);
    assertMatch(new URL(end).searchParams.get("error") ?? "", requestErrors);
  }],
  "attempt-reuse-authorization-code-after-one-second": [
    "invalid_grant, and the access token is revoked",
    async (suite) => {
      const code = await suite.code();
      const { access_token } = (await suite.redeem(code)).body;
      suite.kit.clock.advance(1);
      assertEquals((await suite.redeem(code)).body.error, "invalid_grant");
      assertEquals((await suite.userinfo(access_token)).status, 401);
    },
  ],
  "ensure-token-endpoint-fails-with-expired-auth-code": ["after a minute", async (suite) => {
    const [early, late] = [await suite.code(), await suite.code()];
    suite.kit.clock.advance(minute - 1);
    assertEquals((await suite.redeem(early)).status, 200);
    suite.kit.clock.advance(2);
    assertEquals((await suite.redeem(late)).body.error, "invalid_grant");
  }],
  "dpop-negative-tests": [
    "a resource refuses every wrong proof, and accepts the harmless variants",
    expectProofsAreChecked,
  ],
  "refresh-token": ["it is not rotated, and works with the client's own key alone", async (
    suite,
  ) => {
    const { refresh_token } = (await suite.redeem(await suite.code())).body;
    const grant = { grant_type: "refresh_token", refresh_token };
    for (let time = 0; time < 2; time++) {
      const { status, body } = await suite.token(grant);
      assertEquals([status, body.refresh_token], [200, undefined]);
    }
    assertEquals((await suite.token(grant, { client: second })).body.error, "invalid_grant");
    assertEquals((await suite.token(grant, { proof: null })).status, 400);
  }],
  "par-ensure-reused-request-uri-prior-to-auth-completion-succeeds": [
    "the sign-in page can be opened again",
    async (suite) => {
      const { request_uri } = (await suite.push()).body;
      const browser = suite.kit.browser();
      const query = new URLSearchParams({ client_id: first.id, request_uri });
      await browser.open(`${issuer}/oauth2/authorize?${query}`);
      const { parameters } = await suite.authorize(request_uri, { browser });
      assertEquals(parameters.has("code"), true);
    },
  ],
  "par-attempt-reuse-request_uri": ["an error page after it was completed", async (suite) => {
    const { request_uri } = (await suite.push()).body;
    await suite.authorize(request_uri);
    await expectErrorPage(suite, request_uri);
  }],
  "par-attempt-to-use-expired-request_uri": ["an error page after expires_in", async (suite) => {
    const { request_uri, expires_in } = (await suite.push()).body;
    assert(expires_in < 10 * minute);
    suite.kit.clock.advance(expires_in + 1);
    await expectErrorPage(suite, request_uri);
  }],
  "par-attempt-to-use-request_uri-for-different-client": ["an error page", async (suite) => {
    const { request_uri } = (await suite.push()).body;
    await expectErrorPage(suite, request_uri, { client: second });
  }],
  "par-attempt-invalid-http-method": ["405 for GET", async ({ kit }) => {
    assertEquals((await kit.get("/oauth2/par")).status, 405);
  }],
  "par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted": issues({
    assertion: { nbf: now + 8, iat: now + 8 },
  }),
  ...refusedPushes(/^(invalid_request|invalid_dpop_proof)$/, {
    "ensure-mismatched-dpop-jkt-fails": {
      parameters: { dpop_jkt: second.proofKey.jkt },
      proves: true,
    },
  }),
  ...refusedPushes(requestErrors, {
    "ensure-request-object-without-redirect-uri-fails": { parameters: { redirect_uri: undefined } },
    "ensure-redirect-uri-in-authorization-request": { parameters: { redirect_uri: undefined } },
    "ensure-registered-redirect-uri": { parameters: unregistered },
    // The plan leaves the choice; this server does not tolerate it.
    "plain-fapi-tolerate-unregistered-redirect-uri": { parameters: unregistered },
    "par-authorization-request-containing-request_uri-form-param": { fields: anotherUri },
    "par-ensure-pkce-required": {
      parameters: { code_challenge: undefined, code_challenge_method: undefined },
    },
    "par-plain-pkce-rejected": { parameters: { code_challenge_method: "plain" } },
  }),
  ...refusedPushes(/^(unsupported_response_type|invalid_request)$/, {
    "ensure-response-type-code-idtoken-fails": { parameters: { response_type: "code id_token" } },
    "ensure-response-type-token-fails": { parameters: { response_type: "token" } },
  }),
  ...refusedPushes(/^invalid_client$/, {
    "par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails": {
      assertion: { nbf: now + 61, iat: now + 61, exp: now + 61 + minute },
    },
    "par-test-array-as-audience-fails": { assertion: { aud: [issuer, elsewhere] } },
    "par-test-array-as-audience-fails, even of one": { assertion: { aud: [issuer] } },
    "par-test-par-endpoint-url-as-audience-fails": { assertion: { aud: `${issuer}/oauth2/par` } },
    "par-test-token-endpoint-url-as-audience-fails": {
      assertion: { aud: `${issuer}/oauth2/token` },
    },
  }),
  ...refusedRedemptions(/^(invalid_client|invalid_request|invalid_grant)$/, {
    "ensure-client-id-in-token-endpoint": { fields: { client_id: second.id } },
  }),
  ...refusedRedemptions(/^(invalid_dpop_proof|invalid_request)$/, {
    "ensure-holder-of-key-required": { proof: null },
  }),
  ...refusedRedemptions(/^invalid_client$/, {
    "ensure-signed-client-assertion-with-RS256-fails": { assertionKey: rs256Key },
    "ensure-client-assertion-in-token-endpoint": {
      fields: {
        client_id: first.id,
        client_assertion: undefined,
        client_assertion_type: undefined,
      },
    },
    "ensure-client-assertion-with-exp-is-5-minutes-in-past-fails": {
      assertion: { exp: now - 5 * minute },
    },
    "ensure-client-assertion-with-wrong-aud-fails": { assertion: { aud: elsewhere } },
    "ensure-client-assertion-with-no-sub-fails": { assertion: { sub: undefined } },
  }),
  ...refusedRedemptions(/^invalid_grant$/, {
    "ensure-authorization-code-is-bound-to-client": { client: second },
    "ensure-pkce-code-verifier-required": { fields: { code_verifier: undefined } },
    "incorrect-pkce-code-verifier-rejected": { fields: { code_verifier: "v".repeat(43) } },
  }),
};

/** Keys for tests come in turn, so one of two is not the first client's. */
const otherKeys = [await makeClientKey("PS256", first.id), await makeClientKey("PS256", first.id)]
  .filter(({ publicJwk }) => publicJwk.n !== first.key.publicJwk.n);

const unsecured = new UnsecuredJWT({
  ...{ client_id: first.id, iss: first.id, aud: issuer, nbf: now, exp: now + minute },
}).encode();

/** The modules that fapi2-message-signing-final-test-plan adds. */
const signingModules: Record<string, PlanModule> = {
  "ensure-request-object-with-multiple-aud-succeeds": issues({
    claims: { aud: [elsewhere, issuer] },
  }),
  "ensure-request-object-with-nbf-8-seconds-in-the-future-is-accepted": issues({
    claims: { nbf: now + 8 },
  }),
  ...refusedPushes(requestErrors, {
    "ensure-request-object-without-exp-fails": { claims: { exp: undefined } },
    "ensure-request-object-without-nbf-fails": { claims: { nbf: undefined } },
    "ensure-expired-request-object-fails": { claims: { exp: now - 5 * minute } },
    "ensure-request-object-with-bad-aud-fails": { claims: { aud: elsewhere } },
    "ensure-request-object-with-exp-over-60-fails": { claims: { exp: now + 70 * minute } },
    "ensure-request-object-with-nbf-over-60-fails": { claims: { nbf: now - 70 * minute } },
    "ensure-signed-request-object-with-RS256-fails": { signer: rs256Key },
    "ensure-request-object-signature-algorithm-is-not-none": { fields: { request: unsecured } },
    "ensure-request-object-with-invalid-signature-fails": { signer: present(otherKeys[0]) },
    "ensure-matching-key-in-authorization-request": { signer: second.key },
    "ensure-unsigned-request-at-par-endpoint-fails": {
      fields: {
        ...{ request: undefined, response_type: "code", redirect_uri: callbackUri },
        scope: "openid",
      },
    },
    "par-authorization-request-containing-request_uri": { claims: anotherUri },
  }),
};

const plans = [
  { plan: "fapi2-security-profile-final-test-plan", signed: false, modules },
  {
    plan: "fapi2-message-signing-final-test-plan, signed requests and JARM",
    signed: true,
    modules: { ...modules, ...signingModules },
  },
];

for (const { plan, signed, modules } of plans) {
  describe(plan, () => {
    for (const [name, [shows, run]] of Object.entries(modules)) {
      it(`fapi2-security-profile-final-${name}: ${shows}`, () => run(openFapiSuite(signed)));
    }
  });
}

function issues(pushed: PushChanges, redeemed: TokenChanges = {}): PlanModule {
  return ["bound tokens", async (suite) => {
    const { status, body } = await suite.redeem(await suite.code(pushed), redeemed);
    assertEquals([status, body.token_type], [200, "DPoP"]);
  }];
}

/** Pushes a nonce; one that comes with the `request_uri` does not count. */
function keepsNonce(nonce: string | undefined, outside?: string): PlanModule {
  return ["the ID token has the nonce as it was pushed", async (suite) => {
    const fields = outside === undefined ? {} : { nonce: outside };
    const { parameters } = await suite.complete({ parameters: { nonce } }, { fields });
    const { body } = await suite.redeem(parameters.get("code") ?? "");
    assertEquals<unknown>(claimsOf(body.id_token).nonce, nonce);
  }];
}

/** Pushes a state; one that comes with the `request_uri` does not count. */
function returnsState(state: string | undefined, outside?: string): PlanModule {
  return ["a code, and the state as it was pushed", async (suite) => {
    const fields = outside === undefined ? {} : { state: outside };
    const { parameters } = await suite.complete({ parameters: { state } }, { fields });
    assertEquals([parameters.has("code"), parameters.get("state") ?? undefined], [true, state]);
  }];
}

/** Redeems a code with another key than the one to which its request was bound. */
function mismatch(pushed: PushChanges): PlanModule {
  return ["no tokens for another key", async (suite) => {
    const another = await proofKey("ES256 another");
    const { body } = await suite.redeem(await suite.code(pushed), { proofKey: another });
    assertMatch(body.error, /^(invalid_dpop_proof|invalid_grant)$/);
  }];
}

function refusedPushes(error: RegExp, rows: Record<string, PushChanges>) {
  return mapRows(rows, (changes) => [
    "an error instead of a request_uri",
    async (suite) => assertRefused(await suite.push(changes), error),
  ]);
}

function refusedRedemptions(error: RegExp, rows: Record<string, TokenChanges>) {
  return mapRows(rows, (changes) => [
    "an error instead of tokens",
    async (suite) => assertRefused(await suite.redeem(await suite.code(), changes), error),
  ]);
}

function mapRows<Row>(rows: Record<string, Row>, toModule: (row: Row) => PlanModule) {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, toModule(row)]));
}

function assertRefused({ status, body }: ReadResponse, error: RegExp): void {
  assert(status === 400 || status === 401, `status ${status}`);
  assertMatch(body.error, error);
}

async function expectErrorPage(suite: FapiSuite, requestUri: string, opening = {}): Promise<void> {
  const { parameters, page } = await suite.authorize(requestUri, opening);
  assertEquals([page.status, parameters.has("code")], [400, false]);
}

/** The variants of a proof in dpop-negative-tests. */
async function expectProofsAreChecked(suite: FapiSuite): Promise<void> {
  const { access_token } = (await suite.redeem(await suite.code())).body;
  const endpoint = `${issuer}/oauth2/userinfo`;
  const accepted: ProofChanges[] = [
    { claims: { extra: "claim" } },
    { claims: { htu: `${endpoint}?query#fragment` } },
    { claims: { htu: endpoint.replace("https://hallpass.test", "HTTPS://HALLPASS.TEST:443") } },
  ];
  const missing = ["jti", "htm", "htu", "iat", "ath"];
  const refused: ProofChanges[] = [
    { header: { typ: undefined } },
    { header: { typ: "JWT" } },
    { header: { jwk: first.proofKey.privateJwk } },
    { header: { jwk: second.proofKey.jwk } },
    ...missing.map((name) => ({ claims: { [name]: undefined } })),
    { claims: { htm: "POST" } },
    { claims: { htu: `${issuer}/oauth2/token` } },
    { token: "another-token" },
    { claims: { iat: now - 60 * minute } },
    { claims: { iat: now + 60 * minute } },
  ];
  const expectStatus = async (status: number, proof: ProofChanges) =>
    assertEquals((await suite.userinfo(access_token, proof)).status, status, JSON.stringify(proof));
  for (const proof of accepted) await expectStatus(200, proof);
  for (const proof of refused) await expectStatus(401, proof);
  const once = { claims: { jti: "the-same-identifier" } };
  await expectStatus(200, once);
  await expectStatus(401, once);
  assertEquals((await suite.kit.userinfo(access_token)).status, 401);
}
