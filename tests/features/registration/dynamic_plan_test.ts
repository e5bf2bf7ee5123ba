import { assertEquals, assertMatch } from "@std/assert";
import { decodeProtectedHeader, jwtVerify } from "jose";
import { describe } from "node:test";
import type { ClientConfig } from "../../../src/server/features.ts";
import { callbackUri, codeOf, openSuite, type Suite } from "../../conformance/suite.ts";
import {
  assertionClaims,
  assertionType,
  makeClientKey,
  seconds,
} from "../../support/client_key.ts";
import { type Fields, read } from "../../support/flow_kit.ts";
import { itWith } from "../../support/it_with.ts";

const it = itWith({ withSuite: () => openRegistered() });

const key = await makeClientKey("RS256", "suite-key");
const otherUri = "https://suite.example/other_callback";
const uriWithQuery = `${callbackUri}?foo=bar`;
const jwksUri = "https://suite.example/jwks";

/** Registers a client that authenticates with `private_key_jwt`, as the whole plan does. */
function openRegistered(
  client: Partial<ClientConfig> = {},
  documents: Record<string, unknown> = {},
) {
  return openSuite({
    registration: "registered",
    key,
    client,
    fetch: async (url) =>
      url in documents ? Response.json(documents[url]) : new Response("", { status: 404 }),
  });
}

async function expectErrorPage(suite: Suite, fields: Fields): Promise<void> {
  const { parameters, page } = await suite.authorize(fields);
  assertEquals([page.status, [...parameters]], [400, []]);
}

/*
 * The modules that the basic plan does not have as well. Tests of registration, of key rotation and
 * of untrusted clients name the others.
 */
describe("oidcc-dynamic-certification-test-plan", () => {
  it("oidcc-idtoken-rs256: an ID token is signed with RS256", async () => {
    const suite = await openRegistered({ idTokenAlg: "RS256" });
    assertEquals(decodeProtectedHeader((await suite.tokens()).id_token).alg, "RS256");
  });

  it("oidcc-userinfo-rs256: userinfo is a JWT signed with RS256", async () => {
    const suite = await openRegistered({ userinfoAlg: "RS256" });
    const { text } = await suite.userinfo((await suite.tokens()).access_token);
    const { payload, protectedHeader } = await jwtVerify(text, await suite.keys(), {
      issuer: suite.kit.issuer,
      audience: suite.clientId,
      currentDate: new Date(suite.kit.clock.now),
    });
    assertEquals([payload.sub, protectedHeader.alg], ["alice", "RS256"]);
  });

  it("oidcc-ensure-redirect-uri-in-authorization-request: an error page without a redirect_uri", async () => {
    const suite = await openRegistered({ redirectUris: [callbackUri, otherUri] });
    await expectErrorPage(suite, { redirect_uri: undefined });
  });

  it("oidcc-redirect-uri-query-OK: a query of the redirect URI is kept", async () => {
    const suite = await openRegistered({ redirectUris: [uriWithQuery] });
    const { parameters } = await suite.authorize({ redirect_uri: uriWithQuery });
    assertEquals(parameters.get("foo"), "bar");
    const { status } = await suite.redeem(codeOf(parameters), { redirect_uri: uriWithQuery });
    assertEquals(status, 200);
  });

  it("oidcc-redirect-uri-query-mismatch: an error page for another query", async () => {
    const suite = await openRegistered({ redirectUris: [uriWithQuery] });
    await expectErrorPage(suite, { redirect_uri: `${callbackUri}?foo=baz` });
  });

  it("oidcc-redirect-uri-query-added: an error page for a query that was not registered", async () => {
    await expectErrorPage(await openRegistered(), { redirect_uri: uriWithQuery });
  });

  it("oidcc-registration-jwks-uri: the keys come from the client's jwks_uri", async () => {
    const documents = { [jwksUri]: { keys: [key.publicJwk] } };
    const suite = await openRegistered({ jwksUri }, documents);
    assertEquals((await suite.tokens()).token_type, "Bearer");
  });

  it.withSuite("oidcc-ensure-request-object-with-redirect-uri: no redirect to another URI of a request object", async (suite) => {
    const parameters = Object.fromEntries(new URL(suite.urlOf()).searchParams);
    const request = await key.sign({
      ...parameters,
      redirect_uri: "https://attacker.example/callback",
      iss: suite.clientId,
      aud: suite.kit.issuer,
      exp: seconds(suite.kit) + 300,
    });
    await expectErrorPage(suite, { request });
  });

  it.withSuite("oidcc-ensure-client-assertion-with-iss-aud-succeeds: the issuer is an audience as well", async (suite) => {
    const { parameters } = await suite.authorize();
    const client_assertion = await key.sign(assertionClaims(suite.kit, suite.clientId));
    const changes = { client_assertion_type: assertionType, client_assertion };
    assertEquals((await suite.redeem(codeOf(parameters), changes)).status, 200);
  });
});

describe("The modules of oidcc-dynamic-certification-test-plan at a server without 'requestUris'", () => {
  it.withSuite("oidcc-discovery-endpoint-verification: the implicit grant is not offered", async ({ kit }) => {
    const { body } = await read(await kit.get("/.well-known/openid-configuration"));
    assertEquals(body.response_types_supported, ["code"]);
    assertEquals(body.grant_types_supported.includes("implicit"), false);
  });

  for (const module of ["oidcc-request-uri-unsigned", "oidcc-request-uri-signed-rs256"]) {
    it.withSuite(`${module}: a request object is not fetched`, async (suite) => {
      const { parameters } = await suite.authorize({ request_uri: "https://suite.example/object" });
      assertMatch(parameters.get("error") ?? "", /^(request_uri_not_supported|invalid_request)$/);
    });
  }
});
