import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { UnsecuredJWT } from "jose";
import { describe, it } from "node:test";
import { callbackUri } from "../../conformance/suite.ts";
import { assertionClaims, makeClientKey, seconds } from "../../support/client_key.ts";
import { type ProofChanges, proofKey } from "../../support/dpop.ts";
import { claimsOf, type Fields, read } from "../../support/flow_kit.ts";
import { present } from "../../support/present.ts";
import {
  type FapiSuite,
  openFapiSuite,
  type PushChanges,
  type TokenChanges,
} from "./fapi_suite.ts";

/** One module: what it shows, and how. */
interface PlanModule {
  shows: string;
  run(suite: FapiSuite): Promise<void>;
}

const minute = 60;
const allowedAlgs = ["PS256", "ES256", "EdDSA", "Ed25519"];
const rs256Key = await makeClientKey("RS256");
const requestErrors = /^(invalid_request|invalid_request_object)$/;

/**
 * The modules of both plans, in their order and without their common prefix. The modules for other
 * ecosystems (Brazil, ConnectID, CDR, KSA) and for grant management do not apply.
 */
const modules: Record<string, PlanModule> = {
  "discovery-end-point-verification": {
    shows: "PAR, iss, S256 and the algorithms of the profile",
    async run({ kit }) {
      const { body } = await read(await kit.get("/.well-known/openid-configuration"));
      assertMatch(body.pushed_authorization_request_endpoint, /^https:/);
      assertEquals(
        [body.require_pushed_authorization_requests, body.response_types_supported],
        [true, ["code"]],
      );
      assertEquals(body.authorization_response_iss_parameter_supported, true);
      assertEquals(body.code_challenge_methods_supported, ["S256"]);
      const lists = Object.entries(body).filter(([name]) => name.endsWith("_alg_values_supported"));
      const others = lists.flatMap(([, algs]) => algs as string[])
        .filter((alg) => !allowedAlgs.includes(alg));
      assertEquals(others, []);
    },
  },
  "happy-flow": {
    shows: "bound tokens for both clients",
    async run(suite) {
      for (const client of [suite.client, suite.second]) {
        const code = await suite.code({ client });
        const { status, body } = await suite.redeem(code, { client });
        assertEquals([status, body.token_type], [200, "DPoP"]);
        assertEquals(claimsOf(body.access_token).cnf.jkt, client.proofKey.jkt);
        assertEquals(claimsOf(body.id_token).nonce, "a-nonce");
      }
    },
  },
  "user-rejects-authentication": {
    shows: "access_denied",
    async run(suite) {
      const { parameters } = await suite.complete({}, { actions: { decision: "deny" } });
      assertEquals([parameters.get("error"), parameters.get("state")], [
        "access_denied",
        "a-state",
      ]);
    },
  },
  "ensure-authorization-request-without-state-success": {
    shows: "a response without a state",
    async run(suite) {
      const { parameters } = await suite.complete({ parameters: { state: undefined } });
      assertEquals([parameters.has("code"), parameters.has("state")], [true, false]);
    },
  },
  "ensure-authorization-request-without-nonce-success": {
    shows: "an ID token without a nonce",
    async run(suite) {
      const { body } = await suite.redeem(await suite.code({ parameters: { nonce: undefined } }));
      assertEquals("nonce" in claimsOf(body.id_token), false);
    },
  },
  "ensure-authorization-request-with-64-char-nonce-success": keepsNonce("n".repeat(64)),
  "ensure-other-scope-order-succeeds": succeedsWith({ scope: "email openid" }),
  "test-claims-parameter-identity-claims": {
    shows: "the claims that were asked for",
    async run(suite) {
      const claims = '{"id_token":{"email":null},"userinfo":{"name":{"essential":true}}}';
      const { body } = await suite.redeem(await suite.code({ parameters: { claims } }));
      assertEquals(claimsOf(body.id_token).email, "alice@example.com");
      assertEquals((await suite.userinfo(body.access_token)).body.name, "Alice Adler");
    },
  },
  "access-token-type-header-case-sensitivity": {
    shows: "the scheme DPoP in any case",
    async run(suite) {
      const { access_token } = (await suite.redeem(await suite.code())).body;
      for (const scheme of ["dPoP", "DPOP"]) {
        assertEquals((await suite.userinfo(access_token, {}, scheme)).status, 200);
      }
    },
  },
  "check-dpop-proof-nbf-exp": {
    shows: "nbf and exp of a proof are checked, or do no harm",
    async run(suite) {
      const now = seconds(suite.kit);
      const proof = { claims: { nbf: now, exp: now + minute } };
      assertEquals((await suite.redeem(await suite.code(), { proof })).status, 200);
    },
  },
  "ensure-dpopproof-with-iat-10seconds-before-succeeds": acceptsProofAt(-10),
  "ensure-dpopproof-with-iat-10seconds-after-succeeds": acceptsProofAt(10),
  "ensure-mismatched-dpop-jkt-fails": {
    shows: "no request_uri if dpop_jkt and the proof name different keys",
    async run(suite) {
      const dpop_jkt = suite.second.proofKey.jkt;
      const { status, body } = await suite.push({ parameters: { dpop_jkt }, proves: true });
      assertEquals(status, 400);
      assertMatch(body.error, /^(invalid_request|invalid_dpop_proof)$/);
    },
  },
  "ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt": {
    shows: "no tokens for another key than the one at PAR",
    run: (suite) => expectKeyMismatch(suite, { proves: true }),
  },
  "ensure-token-endpoint-fails-with-mismatched-dpop-jkt": {
    shows: "no tokens for another key than dpop_jkt",
    run: (suite) =>
      expectKeyMismatch(suite, { parameters: { dpop_jkt: suite.client.proofKey.jkt } }),
  },
  "ensure-dpopproof-at-par-endpoint-binding-success": {
    shows: "tokens for the key of the proof at PAR",
    async run(suite) {
      assertEquals((await suite.redeem(await suite.code({ proves: true }))).status, 200);
    },
  },
  "ensure-dpop-auth-code-binding-success": {
    shows: "tokens for the key of dpop_jkt",
    async run(suite) {
      const parameters = { dpop_jkt: suite.client.proofKey.jkt };
      assertEquals((await suite.redeem(await suite.code({ parameters }))).status, 200);
    },
  },
  "ensure-different-nonce-inside-and-outside-request-object": {
    shows: "the nonce of the pushed request",
    async run(suite) {
      const { parameters } = await suite.complete({}, { fields: { nonce: "another" } });
      const { body } = await suite.redeem(parameters.get("code") ?? "");
      assertEquals(claimsOf(body.id_token).nonce, "a-nonce");
    },
  },
  "ensure-different-state-inside-and-outside-request-object": {
    shows: "the state of the pushed request",
    async run(suite) {
      const { parameters } = await suite.complete({}, { fields: { state: "another" } });
      assertEquals([parameters.has("code"), parameters.get("state")], [true, "a-state"]);
    },
  },
  "ensure-authorization-request-with-long-nonce": keepsNonce("n".repeat(384)),
  "ensure-authorization-request-with-long-state": {
    shows: "the state is returned as it was sent",
    async run(suite) {
      const state = "s".repeat(384);
      const { parameters } = await suite.complete({ parameters: { state } });
      assertEquals(parameters.get("state"), state);
    },
  },
  "state-only-outside-request-object-not-used": {
    shows: "a state outside the pushed request is not used",
    async run(suite) {
      const pushed = { parameters: { state: undefined } };
      const { parameters } = await suite.complete(pushed, { fields: { state: "outside" } });
      assertEquals([parameters.has("code"), parameters.has("state")], [true, false]);
    },
  },
  "ensure-request-object-without-redirect-uri-fails": refusesPush({
    parameters: { redirect_uri: undefined },
  }),
  "ensure-registered-redirect-uri": refusesPush({
    parameters: { redirect_uri: `${callbackUri}/other` },
  }),
  "plain-fapi-tolerate-unregistered-redirect-uri": {
    shows: "invalid_request: tolerance is a choice that this server does not make",
    run: (suite) =>
      expectPushError(suite, { parameters: { redirect_uri: `${callbackUri}/other` } }),
  },
  "ensure-unsigned-authorization-request-without-using-par-fails": {
    shows: "an error for a request that was not pushed",
    async run({ kit, client }) {
      const url = kit.authorizationUrl({ client_id: client.id, redirect_uri: callbackUri });
      const { url: end } = await kit.browser().open(url);
      assertMatch(new URL(end).searchParams.get("error") ?? "", requestErrors);
    },
  },
  "ensure-redirect-uri-in-authorization-request": refusesPush({
    parameters: { redirect_uri: undefined },
  }),
  "ensure-response-type-code-idtoken-fails": refusesPush(
    { parameters: { response_type: "code id_token" } },
    /^(unsupported_response_type|invalid_request)$/,
  ),
  "ensure-response-type-token-fails": refusesPush(
    { parameters: { response_type: "token" } },
    /^(unsupported_response_type|invalid_request)$/,
  ),
  "ensure-client-id-in-token-endpoint": refusesRedemption(
    ({ second }) => ({ fields: { client_id: second.id } }),
    /^(invalid_client|invalid_request|invalid_grant)$/,
  ),
  "ensure-holder-of-key-required": refusesRedemption(
    () => ({ proof: null }),
    /^(invalid_dpop_proof|invalid_request)$/,
  ),
  "ensure-authorization-code-is-bound-to-client": refusesRedemption(
    ({ second }) => ({ client: second }),
    /^invalid_grant$/,
  ),
  "attempt-reuse-authorization-code-after-one-second": {
    shows: "invalid_grant, and the access token is revoked",
    async run(suite) {
      const code = await suite.code();
      const { access_token } = (await suite.redeem(code)).body;
      suite.kit.clock.advance(1);
      assertEquals((await suite.redeem(code)).body.error, "invalid_grant");
      assertEquals((await suite.userinfo(access_token)).status, 401);
    },
  },
  "ensure-token-endpoint-fails-with-expired-auth-code": {
    shows: "invalid_grant after more than a minute",
    async run(suite) {
      const code = await suite.code();
      suite.kit.clock.advance(minute + 1);
      assertEquals((await suite.redeem(code)).body.error, "invalid_grant");
    },
  },
  "ensure-signed-client-assertion-with-RS256-fails": refusesRedemption(
    async ({ kit, client }) => ({
      fields: { client_assertion: await rs256Key.sign(assertionClaims(kit, client.id)) },
    }),
    /^invalid_client$/,
  ),
  "ensure-client-assertion-in-token-endpoint": refusesRedemption(
    ({ client }) => ({
      fields: {
        client_id: client.id,
        client_assertion: undefined,
        client_assertion_type: undefined,
      },
    }),
    /^invalid_client$/,
  ),
  "ensure-client-assertion-with-exp-is-5-minutes-in-past-fails": refusesRedemption(
    ({ kit }) => ({ assertion: { exp: seconds(kit) - 5 * minute } }),
    /^invalid_client$/,
  ),
  "ensure-client-assertion-with-wrong-aud-fails": refusesRedemption(
    () => ({ assertion: { aud: "https://another-server.example" } }),
    /^invalid_client$/,
  ),
  "ensure-client-assertion-with-no-sub-fails": refusesRedemption(
    () => ({ assertion: { sub: undefined } }),
    /^invalid_client$/,
  ),
  "dpop-negative-tests": {
    shows: "a resource refuses every wrong proof, and accepts the harmless variants",
    run: expectProofsAreChecked,
  },
  "refresh-token": {
    shows: "the refresh token is not rotated, and works with the client's own key alone",
    async run(suite) {
      const { refresh_token } = (await suite.redeem(await suite.code())).body;
      const grant = { grant_type: "refresh_token", refresh_token };
      const { status, body } = await suite.token(grant);
      assertEquals([status, body.refresh_token ?? refresh_token], [200, refresh_token]);
      assertEquals(
        (await suite.token(grant, { client: suite.second })).body.error,
        "invalid_grant",
      );
      assertEquals((await suite.token(grant, { proof: null })).status, 400);
    },
  },
  "par-ensure-reused-request-uri-prior-to-auth-completion-succeeds": {
    shows: "the sign-in page can be opened again",
    async run(suite) {
      const { request_uri } = (await suite.push()).body;
      const browser = suite.kit.browser();
      const query = new URLSearchParams({ client_id: suite.client.id, request_uri });
      await browser.open(`${suite.kit.issuer}/oauth2/authorize?${query}`);
      const { parameters } = await suite.authorize(request_uri, { browser });
      assertEquals(parameters.has("code"), true);
    },
  },
  "par-attempt-reuse-request_uri": {
    shows: "an error page after the request was completed",
    async run(suite) {
      const { request_uri } = (await suite.push()).body;
      await suite.authorize(request_uri);
      await expectErrorPage(suite, request_uri);
    },
  },
  "par-attempt-to-use-expired-request_uri": {
    shows: "an error page after expires_in seconds",
    async run(suite) {
      const { request_uri, expires_in } = (await suite.push()).body;
      assert(expires_in < 10 * minute);
      suite.kit.clock.advance(expires_in + 1);
      await expectErrorPage(suite, request_uri);
    },
  },
  "par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted": {
    shows: "a request_uri",
    async run(suite) {
      const soon = seconds(suite.kit) + 8;
      assertEquals((await suite.push({ assertion: { nbf: soon, iat: soon } })).status, 201);
    },
  },
  "par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails": {
    shows: "invalid_client",
    async run(suite) {
      const later = seconds(suite.kit) + 61;
      const times = { nbf: later, iat: later, exp: later + minute };
      const { body } = await suite.push({ assertion: times });
      assertEquals(body.error, "invalid_client");
    },
  },
  "par-attempt-to-use-request_uri-for-different-client": {
    shows: "an error page for another client",
    async run(suite) {
      const { request_uri } = (await suite.push()).body;
      const { page } = await suite.authorize(request_uri, { client: suite.second });
      assertEquals(page.status, 400);
    },
  },
  "par-authorization-request-containing-request_uri-form-param": refusesPush({
    fields: { request_uri: "urn:ietf:params:oauth:request_uri:another" },
  }),
  "par-attempt-invalid-http-method": {
    shows: "405 for GET",
    async run({ kit }) {
      assertEquals((await kit.get("/oauth2/par")).status, 405);
    },
  },
  "par-ensure-pkce-required": refusesPush({
    parameters: { code_challenge: undefined, code_challenge_method: undefined },
  }),
  "ensure-pkce-code-verifier-required": refusesRedemption(
    () => ({ fields: { code_verifier: undefined } }),
    /^invalid_grant$/,
  ),
  "incorrect-pkce-code-verifier-rejected": refusesRedemption(
    () => ({ fields: { code_verifier: "v".repeat(43) } }),
    /^invalid_grant$/,
  ),
  "par-plain-pkce-rejected": refusesPush({ parameters: { code_challenge_method: "plain" } }),
  "par-without-duplicate-parameters": {
    shows: "a code for client_id and request_uri alone",
    async run(suite) {
      assertEquals((await suite.complete()).parameters.has("code"), true);
    },
  },
  "par-test-array-as-audience-fails": refusesAudience(({ kit }) => [
    kit.issuer,
    "https://another-server.example",
  ]),
  "par-test-par-endpoint-url-as-audience-fails": refusesAudience(
    ({ kit }) => `${kit.issuer}/oauth2/par`,
  ),
  "par-test-token-endpoint-url-as-audience-fails": refusesAudience(
    ({ kit }) => `${kit.issuer}/oauth2/token`,
  ),
};

/** The modules that fapi2-message-signing-final-test-plan adds. */
const signingModules: Record<string, PlanModule> = {
  "ensure-request-object-with-multiple-aud-succeeds": acceptsObject(({ kit }) => ({
    aud: ["https://another-server.example", kit.issuer],
  })),
  "ensure-request-object-with-nbf-8-seconds-in-the-future-is-accepted": acceptsObject(
    ({ kit }) => ({ nbf: seconds(kit) + 8 }),
  ),
  "ensure-request-object-without-exp-fails": refusesObject(() => ({ exp: undefined })),
  "ensure-request-object-without-nbf-fails": refusesObject(() => ({ nbf: undefined })),
  "ensure-expired-request-object-fails": refusesObject(({ kit }) => ({
    exp: seconds(kit) - 5 * minute,
  })),
  "ensure-request-object-with-bad-aud-fails": refusesObject(() => ({
    aud: "https://another-server.example",
  })),
  "ensure-request-object-with-exp-over-60-fails": refusesObject(({ kit }) => ({
    exp: seconds(kit) + 70 * minute,
  })),
  "ensure-request-object-with-nbf-over-60-fails": refusesObject(({ kit }) => ({
    nbf: seconds(kit) - 70 * minute,
  })),
  "ensure-signed-request-object-with-RS256-fails": refusesPush({ signer: rs256Key }),
  "ensure-request-object-signature-algorithm-is-not-none": {
    shows: "an error for an unsigned request object",
    async run(suite) {
      const { id } = suite.client;
      const now = seconds(suite.kit);
      const claims = { client_id: id, iss: id, aud: suite.kit.issuer, nbf: now, exp: now + minute };
      await expectPushError(suite, { fields: { request: new UnsecuredJWT(claims).encode() } });
    },
  },
  "ensure-request-object-with-invalid-signature-fails": {
    shows: "an error for a signature that does not fit",
    async run(suite) {
      const { id, key } = suite.client;
      // Keys for tests come in turn, so one of two is not the client's.
      const keys = [await makeClientKey("PS256", id), await makeClientKey("PS256", id)];
      const others = keys.filter(({ publicJwk }) => publicJwk.n !== key.publicJwk.n);
      await expectPushError(suite, { signer: present(others[0]) });
    },
  },
  "ensure-matching-key-in-authorization-request": {
    shows: "an error for the key of another client",
    run: (suite) => expectPushError(suite, { signer: suite.second.key }),
  },
  "ensure-unsigned-request-at-par-endpoint-fails": {
    shows: "an error for parameters without a request object",
    async run(suite) {
      const parameters = { response_type: "code", redirect_uri: callbackUri, scope: "openid" };
      await expectPushError(suite, { fields: { request: undefined, ...parameters } });
    },
  },
  "par-authorization-request-containing-request_uri": refusesObject(() => ({
    request_uri: "urn:ietf:params:oauth:request_uri:another",
  })),
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
    for (const [name, { shows, run }] of Object.entries(modules)) {
      it(`fapi2-security-profile-final-${name}: ${shows}`, () => run(openFapiSuite(signed)));
    }
  });
}

function succeedsWith(parameters: Fields): PlanModule {
  return {
    shows: "bound tokens",
    async run(suite) {
      const { body } = await suite.redeem(await suite.code({ parameters }));
      assertEquals(body.token_type, "DPoP");
    },
  };
}

function keepsNonce(nonce: string): PlanModule {
  return {
    shows: "the ID token has the nonce as it was sent",
    async run(suite) {
      const { body } = await suite.redeem(await suite.code({ parameters: { nonce } }));
      assertEquals(claimsOf(body.id_token).nonce, nonce);
    },
  };
}

function acceptsProofAt(offset: number): PlanModule {
  return {
    shows: "the proof is accepted",
    async run(suite) {
      const proof = { claims: { iat: seconds(suite.kit) + offset } };
      assertEquals((await suite.redeem(await suite.code(), { proof })).status, 200);
    },
  };
}

function refusesPush(changes: PushChanges, error = requestErrors): PlanModule {
  return {
    shows: "an error in place of a request_uri",
    run: (suite) => expectPushError(suite, changes, error),
  };
}

function refusesAudience(audOf: (suite: FapiSuite) => unknown): PlanModule {
  return {
    shows: "invalid_client",
    run: (suite) =>
      expectPushError(suite, { assertion: { aud: audOf(suite) } }, /^invalid_client$/),
  };
}

function refusesObject(claimsOf: (suite: FapiSuite) => Record<string, unknown>): PlanModule {
  return {
    shows: "an error in place of a request_uri",
    run: (suite) => expectPushError(suite, { claims: claimsOf(suite) }),
  };
}

function acceptsObject(claimsOf: (suite: FapiSuite) => Record<string, unknown>): PlanModule {
  return {
    shows: "a code",
    async run(suite) {
      assertNotEquals(await suite.code({ claims: claimsOf(suite) }), "");
    },
  };
}

function refusesRedemption(
  changesOf: (suite: FapiSuite) => TokenChanges | Promise<TokenChanges>,
  error: RegExp,
): PlanModule {
  return {
    shows: "an error in place of tokens",
    async run(suite) {
      const { status, body } = await suite.redeem(await suite.code(), await changesOf(suite));
      assert(status === 400 || status === 401, `status ${status}`);
      assertMatch(body.error, error);
    },
  };
}

async function expectPushError(
  suite: FapiSuite,
  changes: PushChanges,
  error = requestErrors,
): Promise<void> {
  const { status, body } = await suite.push(changes);
  assert(status === 400 || status === 401, `status ${status}`);
  assertMatch(body.error, error);
}

async function expectErrorPage(suite: FapiSuite, requestUri: string): Promise<void> {
  const { parameters, page } = await suite.authorize(requestUri);
  assertEquals([page.status, parameters.has("code")], [400, false]);
}

/** Redeems a code with another key than the one to which its request was bound. */
async function expectKeyMismatch(suite: FapiSuite, changes: PushChanges): Promise<void> {
  const another = await proofKey("ES256 another");
  const { body } = await suite.redeem(await suite.code(changes), { proofKey: another });
  assertMatch(body.error, /^(invalid_dpop_proof|invalid_grant)$/);
}

/** The variants of a proof in dpop-negative-tests. */
async function expectProofsAreChecked(suite: FapiSuite): Promise<void> {
  const { kit, client } = suite;
  const { access_token } = (await suite.redeem(await suite.code())).body;
  const endpoint = `${kit.issuer}/oauth2/userinfo`;
  const now = seconds(kit);
  const accepted: ProofChanges[] = [
    { claims: { extra: "claim" } },
    { claims: { htu: `${endpoint}?query#fragment` } },
    { claims: { htu: endpoint.replace("https://hallpass.test", "HTTPS://HALLPASS.TEST:443") } },
  ];
  const refused: ProofChanges[] = [
    { header: { typ: undefined } },
    { header: { typ: "JWT" } },
    { header: { jwk: client.proofKey.privateJwk } },
    { header: { jwk: suite.second.proofKey.jwk } },
    { claims: { jti: undefined } },
    { claims: { htm: undefined } },
    { claims: { htu: undefined } },
    { claims: { iat: undefined } },
    { claims: { ath: undefined } },
    { claims: { htm: "POST" } },
    { claims: { htu: `${kit.issuer}/oauth2/token` } },
    { token: "another-token" },
    { claims: { iat: now - 60 * minute } },
    { claims: { iat: now + 60 * minute } },
  ];
  for (const proof of accepted) {
    assertEquals((await suite.userinfo(access_token, proof)).status, 200, JSON.stringify(proof));
  }
  for (const proof of refused) {
    assertEquals((await suite.userinfo(access_token, proof)).status, 401, JSON.stringify(proof));
  }
  const once = { claims: { jti: "the-same-identifier" } };
  const statuses = [
    (await suite.userinfo(access_token, once)).status,
    (await suite.userinfo(access_token, once)).status,
  ];
  assertEquals(statuses, [200, 401]);
  const withoutProof = { Authorization: `Bearer ${access_token}` };
  assertEquals((await kit.get("/oauth2/userinfo", withoutProof)).status, 401);
}
