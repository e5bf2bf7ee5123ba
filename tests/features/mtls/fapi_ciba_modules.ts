import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeProtectedHeader, UnsecuredJWT } from "jose";
import { it } from "node:test";
import type { Store } from "../../../src/server/store/store.ts";
import { makeClientKey, seconds } from "../../support/client_key.ts";
import { claimsOf, read, type ReadResponse } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import {
  type BeginChanges,
  type CibaClient,
  type CibaSuite,
  type CibaVariant,
  openCibaSuite,
} from "./fapi_ciba_suite.ts";

/** One module: what it shows, and how; in some plans only. */
interface PlanModule extends Partial<CibaVariant> {
  shows: string;
  run(suite: CibaSuite): Promise<void>;
}

const minute = 60;
const rs256Key = await makeClientKey("RS256");
const waits = /^(authorization_pending|slow_down)$/;
const badMessage = "1234 \u{1F44D}\u{1F3FF} 品川 Lorem ipsum dolor sit amet, consectetur";

/**
 * The modules of fapi-ciba-id1-test-plan, in its order and without their common prefix. Those for
 * other ecosystems (Brazil, ConnectID, Open Banking UK) do not apply. What concerns cipher suites is
 * in tests/runtime/tls_suites_test.ts.
 */
const modules: Readonly<Record<string, PlanModule>> = {
  "discovery-end-point-verification": {
    shows: "the endpoint, both modes, the algorithms and bound tokens",
    async run({ kit, mode, authentication }) {
      const { text } = await read(await kit.get("/.well-known/openid-configuration"));
      const body = JSON.parse(text);
      assertMatch(body.backchannel_authentication_endpoint, /^https:/);
      assert(body.backchannel_token_delivery_modes_supported.includes(mode));
      assert(
        body.backchannel_authentication_request_signing_alg_values_supported.includes("PS256"),
      );
      assertEquals(body.backchannel_user_code_parameter_supported, false);
      assert(body.grant_types_supported.includes("urn:openid:params:grant-type:ciba"));
      assertEquals(body.tls_client_certificate_bound_access_tokens, true);
      assert(body.id_token_signing_alg_values_supported.includes("PS256"));
      assert(body.token_endpoint_auth_signing_alg_values_supported.includes("PS256"));
      const method = authentication === "mtls" ? "self_signed_tls_client_auth" : authentication;
      assert(body.token_endpoint_auth_methods_supported.includes(method));
      assertMatch(body.mtls_endpoint_aliases.token_endpoint, /^https:/);
    },
  },
  "(two clients)": {
    shows: "bound tokens for both clients, each audience of an assertion, and no second use",
    async run(suite) {
      const { kit, client, second } = suite;
      const first = await complete(suite, { assertion: { aud: kit.issuer } });
      const { alg, kid } = decodeProtectedHeader(first.id_token);
      assertEquals([alg, typeof kid], ["PS256", "string"]);
      assertEquals((await suite.userinfo(first.access_token)).status, 200);
      const authReqId = await suite.begun({
        client: second,
        assertion: { aud: `${kit.issuer}/oauth2/token` },
        header: { typ: "oauth-authz-req+jwt" },
        ...suite.mode === "ping" && { claims: { client_notification_token: "x".repeat(1024) } },
      });
      const { body } = await redeem(suite, authReqId, second);
      assertEquals((await suite.userinfo(body.access_token, second)).status, 200);
      assertEquals((await suite.userinfo(body.access_token, client)).status, 401);
      await expectError(suite.poll(authReqId, { client: second }), /^invalid_grant$/);
    },
  },
  "user-rejects-authentication": {
    shows: "access_denied",
    async run(suite) {
      const authReqId = await suite.begun();
      await suite.decide("deny");
      expectPing(suite, authReqId);
      await expectError(suite.poll(authReqId), /^access_denied$/);
    },
  },
  "multiple-call-to-token-endpoint": {
    shows: "authorization_pending or slow_down, each time",
    async run(suite) {
      const authReqId = await suite.begun();
      for (let calls = 0; calls < 20; calls++) await expectError(suite.poll(authReqId), waits);
    },
  },
  "auth-req-id-expired": {
    shows: "expired_token after the 10 seconds that the client asked for",
    async run(suite) {
      const authReqId = await suite.begun({ claims: { requested_expiry: 10 } });
      await expectError(suite.poll(authReqId), waits);
      await suite.wait(15);
      await expectError(suite.poll(authReqId), /^expired_token$/);
    },
  },
  "ensure-authorization-request-with-binding-message-succeeds": succeedsWith({
    binding_message: "1234",
  }),
  "ensure-other-scope-order-succeeds": succeedsWith({ scope: "profile openid" }),
  "ensure-requested-expiry-as-string-succeeds": succeedsWith({ requested_expiry: "30" }),
  "ensure-authorization-request-with-potentially-bad-binding-message": {
    shows: "invalid_binding_message",
    run: (suite) =>
      expectError(
        suite.begin({ claims: { binding_message: badMessage.padEnd(200, ".") } }),
        /^invalid_binding_message$/,
      ),
  },
  "ensure-request-object-missing-aud-fails": refuses(() => ({ aud: undefined })),
  "ensure-request-object-bad-aud-fails": refuses(() => ({
    aud: "https://www.other1.example.com/",
  })),
  "ensure-request-object-missing-iss-fails": refuses(() => ({ iss: undefined })),
  "ensure-request-object-bad-iss-fails": refuses(({ second }) => ({ iss: second.id })),
  "ensure-request-object-missing-exp-fails": refuses(() => ({ exp: undefined })),
  "ensure-request-object-expired-exp-fails": refuses(({ kit }) => ({
    exp: seconds(kit) - 5 * minute,
  })),
  "ensure-request-object-exp-is-70-minutes-in-future-fails": refuses(({ kit }) => ({
    exp: seconds(kit) + 70 * minute,
  })),
  "ensure-request-object-missing-iat-fails": refuses(() => ({ iat: undefined })),
  "ensure-request-object-missing-nbf-fails": refuses(() => ({ nbf: undefined })),
  "ensure-request-object-nbf-is-10-minutes-in-future-fails": refuses(({ kit }) => ({
    nbf: seconds(kit) + 10 * minute,
  })),
  "ensure-request-object-nbf-is-70-minutes-in-past-fails": refuses(({ kit }) => ({
    nbf: seconds(kit) - 70 * minute,
  })),
  "ensure-request-object-missing-jti-fails": refuses(() => ({ jti: undefined })),
  "ensure-request-object-signature-algorithm-is-none-fails": refusesSigned((claims) =>
    new UnsecuredJWT({ ...claims }).encode()
  ),
  "ensure-request-object-signature-algorithm-is-bad-fails": refusesSigned(
    async (claims, { client }) => {
      const [header, payload] = (await client.key.sign(claims)).split(".");
      const [, , otherSignature] = (await client.key.sign({})).split(".");
      return `${header}.${payload}.${otherSignature}`;
    },
  ),
  "ensure-request-object-signature-algorithm-is-RS256-fails": refusesSigned((claims) =>
    rs256Key.sign(claims)
  ),
  "ensure-request-object-signed-by-other-client-fails": refusesSigned((claims, { second }) =>
    second.key.sign(claims)
  ),
  "ensure-authorization-request-with-multiple-hints-fails": refuses(() => ({
    login_hint_token: "xxxxxxxxxxxxxxxxxxxx",
    binding_message: undefined,
  })),
  "ensure-wrong-auth-req-id-in-token-endpoint-request": {
    shows: "invalid_grant for the auth_req_id of another client",
    async run(suite) {
      const poll = suite.poll(await suite.begun(), { client: suite.second });
      await expectError(poll, /^invalid_grant$/);
    },
  },
  "ensure-different-client-id-and-issuer-in-backchannel-authorization-request": {
    authentication: "mtls",
    shows: "invalid_client for the id of another client besides a signed request",
    run: (suite) => expectError(suite.begin({ id: suite.second.id }), /^invalid_client$/, 401),
  },
  "ensure-wrong-client-id-in-token-endpoint-request": {
    authentication: "mtls",
    shows: "invalid_client for the id of another client",
    async run(suite) {
      const poll = suite.poll(await suite.begun(), { id: suite.second.id });
      await expectError(poll, /^invalid_client$/, 401);
    },
  },
  "ensure-wrong-client-id-in-backchannel-authorization-request": {
    authentication: "mtls",
    shows: "invalid_client for the id of another client, in the signed request too",
    async run(suite) {
      const { id } = suite.second;
      await expectError(suite.begin({ id, claims: { iss: id } }), /^invalid_client$/, 401);
    },
  },
  "ensure-without-client-assertion-in-token-endpoint-request": {
    authentication: "private_key_jwt",
    shows: "invalid_client",
    async run(suite) {
      const poll = suite.poll(await suite.begun(), { assertion: null });
      await expectError(poll, /^invalid_client$/, 401);
    },
  },
  "ensure-without-client-assertion-in-backchannel-authorization-request": {
    authentication: "private_key_jwt",
    shows: "invalid_client",
    run: (suite) => expectError(suite.begin({ assertion: null }), /^invalid_client$/, 401),
  },
  "ensure-client-assertion-signature-algorithm-in-backchannel-authorization-request-is-RS256-fails":
    {
      authentication: "private_key_jwt",
      shows: "invalid_client",
      run: (suite) => expectError(suite.begin({ assertionKey: rs256Key }), /^invalid_client$/, 401),
    },
  "ensure-client-assertion-signature-algorithm-in-token-endpoint-request-is-RS256-fails": {
    authentication: "private_key_jwt",
    shows: "invalid_client",
    async run(suite) {
      const poll = suite.poll(await suite.begun(), { assertionKey: rs256Key });
      await expectError(poll, /^invalid_client$/, 401);
    },
  },
  "ensure-client-assertion-with-iss-aud-to-token-endpoint-succeeds": {
    authentication: "private_key_jwt",
    shows: "an assertion for the issuer",
    async run(suite) {
      const aud = suite.kit.issuer;
      await expectError(suite.poll(await suite.begun(), { assertion: { aud } }), waits);
    },
  },
  "ping-backchannel-notification-endpoint-response-has-body": continuesAfter(
    () => Response.json({ thanks: true }),
  ),
  "ping-backchannel-notification-endpoint-response-401": continuesAfter(
    () => new Response("no", { status: 401 }),
  ),
  "ping-backchannel-notification-endpoint-response-403": continuesAfter(
    () => new Response("no", { status: 403 }),
  ),
  "ping-with-mtls-ciba-notification-endpoint-response-401-and-require-server-does-not-retry":
    continuesAfter(() => new Response("no", { status: 401 })),
  "ping-backchannel-notification-endpoint-return-redirect-request": continuesAfter(
    () =>
      new Response(null, {
        status: 301,
        headers: { Location: "https://suite.example/invalid-ciba-notification-endpoint" },
      }),
  ),
  "ensure-unsigned-backchannel-authorization-request-fails": {
    shows: "invalid_request",
    run: (suite) =>
      expectError(
        suite.begin({
          fields: {
            request: undefined,
            scope: "openid",
            login_hint: "alice",
            client_notification_token: "x".repeat(28),
          },
        }),
        /^invalid_request$/,
      ),
  },
  "refresh-token": {
    shows: "new bound tokens for each client, and none for the other's refresh token",
    async run(suite) {
      const { client, second } = suite;
      const tokens = [await complete(suite), await complete(suite, { client: second })];
      const refresh = (from: number, client: CibaClient) =>
        suite.token({
          grant_type: "refresh_token",
          refresh_token: present(tokens[from]?.refresh_token),
        }, { client });
      const { status, body } = await refresh(0, client);
      assertEquals([status, body.token_type], [200, "Bearer"]);
      assertEquals((await suite.userinfo(body.access_token)).status, 200);
      await expectError(refresh(1, client), /^invalid_grant$/);
      assertEquals((await refresh(1, second)).status, 200);
    },
  },
  "ensure-mtls-holder-of-key-required": {
    shows: "an error for a token request with no certificate or another one, which spends nothing",
    async run(suite) {
      const authReqId = await suite.begun();
      await suite.decide();
      const usesCertificate = suite.authentication === "mtls";
      const errors = usesCertificate ? /^invalid_client$/ : /^invalid_request$/;
      const pollWith = (certificate?: CibaClient["certificate"]) =>
        suite.poll(authReqId, { client: { ...suite.client, certificate } });
      await expectError(pollWith(), errors, usesCertificate ? 401 : 400);
      if (usesCertificate) await expectError(pollWith("forged"), errors, 401);
      const { status, body } = await pollWith(suite.client.certificate);
      assertEquals(status, 200);
      if (usesCertificate) return;
      await expectError(pollWith("forged"), /^invalid_grant$/);
      assertEquals((await suite.userinfo(body.access_token)).status, 401);
    },
  },
};

/** Returns the modules of a plan, in its order. */
export function modulesOf(variant: CibaVariant): Array<[name: string, PlanModule]> {
  return Object.entries(modules).filter(([, { mode, authentication }]) =>
    (mode ?? variant.mode) === variant.mode &&
    (authentication ?? variant.authentication) === variant.authentication
  );
}

/** Adds tests that run each poll plan from its first module to its last, on one server. */
export function itRunsPollPlans(
  openStore: () => Store | Promise<Store>,
  skip: string | false = false,
): void {
  for (const authentication of ["private_key_jwt", "mtls"] as const) {
    it(
      `C18 runs the modules of the poll plan in their order, with ${authentication}`,
      { skip },
      async () => {
        const variant = { mode: "poll", authentication } as const;
        const suite = openCibaSuite(variant, await openStore());
        for (const [name, { run }] of modulesOf(variant)) {
          await run(suite).catch((cause) => {
            throw new Error(`The module '${name}' fails.`, { cause });
          });
        }
        await suite.kit.server.close();
      },
    );
  }
}

/** Polls until the user has decided. */
async function redeem(
  suite: CibaSuite,
  authReqId: string,
  client?: CibaClient,
): Promise<ReadResponse> {
  const party = client && { client };
  await expectError(suite.poll(authReqId, party), waits);
  await suite.wait(5);
  await expectError(suite.poll(authReqId, party), waits);
  await suite.decide();
  expectPing(suite, authReqId);
  return await suite.poll(authReqId, party);
}

/** Completes a request, and returns its tokens. */
async function complete(suite: CibaSuite, changes: BeginChanges = {}) {
  const { status, headers, body } = await redeem(suite, await suite.begun(changes), changes.client);
  assertEquals([status, headers.get("Cache-Control")], [200, "no-store"]);
  assertEquals(claimsOf(body.id_token).aud, (changes.client ?? suite.client).id);
  return body;
}

/** Expects that the client got one ping about a request, if it waits for pings. */
function expectPing({ mode, pings }: CibaSuite, authReqId: string): void {
  const about = pings.filter(({ body }) =>
    JSON.stringify(body) === JSON.stringify({ auth_req_id: authReqId })
  );
  assertEquals(about.length, mode === "ping" ? 1 : 0);
  for (const { authorization } of about) assertMatch(authorization ?? "", /^Bearer \S{28,}$/);
}

async function expectError(
  response: Promise<ReadResponse>,
  error: RegExp,
  expected = 400,
): Promise<void> {
  const { status, body } = await response;
  assertMatch(`${body.error}`, error);
  assertEquals(status, expected);
}

function succeedsWith(claims: Record<string, unknown>): PlanModule {
  return { shows: "tokens", run: async (suite) => void await complete(suite, { claims }) };
}

function refuses(claimsOf: (suite: CibaSuite) => Record<string, unknown>): PlanModule {
  return {
    shows: "invalid_request",
    run: (suite) => expectError(suite.begin({ claims: claimsOf(suite) }), /^invalid_request$/),
  };
}

function refusesSigned(
  sign: (claims: object, suite: CibaSuite) => string | Promise<string>,
): PlanModule {
  return {
    shows: "invalid_request",
    run: (suite) =>
      expectError(
        suite.begin({ signRequest: (claims) => sign(claims, suite) }),
        /^invalid_request$/,
      ),
  };
}

/** The client gets its tokens, and no second ping. */
function continuesAfter(respond: () => Response): PlanModule {
  return {
    mode: "ping",
    shows: "one ping, and then tokens",
    async run(suite) {
      suite.pingResponses.push(respond());
      await complete(suite);
      for (const seconds of [10, 60, 60]) await suite.wait(seconds);
      assertEquals(suite.pings.length, 1);
    },
  };
}
