import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { decodeProtectedHeader, jwtVerify } from "jose";
import { describe } from "node:test";
import type { ClientConfig } from "../../../src/server/features.ts";
import {
  callbackUri,
  codeOf,
  openSuite,
  registerClient,
  type Suite,
} from "../../conformance/suite.ts";
import {
  assertionClaims,
  assertionType,
  makeClientKey,
  seconds,
} from "../../support/client_key.ts";
import { type Fields, read } from "../../support/flow_kit.ts";
import { itWith } from "../../support/it_with.ts";

const it = itWith({ withSuite: () => openRegistered() });

const day = 24 * 60 * 60;
/** Shorter than a client may be unused, in seconds. */
const pause = 10 * day;
const key = await makeClientKey("RS256", "suite-key");
const nextKey = await makeClientKey("RS256", "next-suite-key");
const otherUri = "https://suite.example/other_callback";
const uriWithQuery = `${callbackUri}?foo=bar`;
const jwksUri = "https://suite.example/jwks";
const sectorUri = "https://suite.example/sector.json";

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

async function kidOfNewToken(suite: Suite): Promise<string | undefined> {
  return decodeProtectedHeader((await suite.tokens()).id_token).kid;
}

/** Registers a client and returns the response, which a module expects to be a refusal. */
async function tryToRegister(
  client: Partial<ClientConfig>,
  documents: Record<string, unknown> = {},
) {
  const { kit } = await openRegistered({}, documents);
  const settings: Partial<ClientConfig> = {
    authentication: ["private_key_jwt"],
    jwks: { keys: [key.publicJwk] },
    ...client,
  };
  return await registerClient(kit, settings);
}

describe("oidcc-dynamic-certification-test-plan", () => {
  it("oidcc-idtoken-rs256: an ID token is signed with RS256", async () => {
    const suite = await openRegistered({ idTokenAlg: "RS256" });
    assertEquals(decodeProtectedHeader((await suite.tokens()).id_token).alg, "RS256");
  });

  it.withSuite("oidcc-idtoken-unsigned: 'none' is not offered, so the suite skips the rest of the module", async ({ kit }) => {
    const { body } = await read(await kit.get("/.well-known/openid-configuration"));
    assertEquals(body.id_token_signing_alg_values_supported.includes("none"), false);
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

  it("oidcc-redirect-uri-regfrag: a redirect URI with a fragment cannot be registered", async () => {
    const { status, body } = await tryToRegister({ redirectUris: [`${callbackUri}#fragment`] });
    assertEquals([status, body.error], [400, "invalid_redirect_uri"]);
  });

  it.withSuite("oidcc-server: the flow leads to tokens that the published keys verify", async (suite) => {
    const { id_token, access_token } = await suite.tokens();
    const { payload } = await jwtVerify(id_token, await suite.keys(), {
      issuer: suite.kit.issuer,
      audience: suite.clientId,
      currentDate: new Date(suite.kit.clock.now),
    });
    assertEquals((await suite.userinfo(access_token)).body.sub, payload.sub ?? "");
  });

  const links: Array<[module: string, member: "logoUri" | "policyUri" | "tosUri"]> = [
    ["oidcc-registration-logo-uri", "logoUri"],
    ["oidcc-registration-policy-uri", "policyUri"],
    ["oidcc-registration-tos-uri", "tosUri"],
  ];
  for (const [module, member] of links) {
    it(`${module}: is on the page that asks the user to sign in or to consent`, async () => {
      const url = `https://suite.example/${member}`;
      const suite = await openRegistered({ [member]: url });
      const browser = suite.kit.browser();
      const signIn = await browser.open(suite.urlOf());
      const fields = { username: "alice", password: "alice" };
      const consent = await browser.submit(signIn, "sign-in", fields);
      assert(`${signIn.html}${consent.html}`.includes(url), consent.html);
    });
  }

  it("oidcc-registration-jwks-uri: the keys come from the client's jwks_uri", async () => {
    const documents = { [jwksUri]: { keys: [key.publicJwk] } };
    const suite = await openRegistered({ jwksUri }, documents);
    assertEquals((await suite.tokens()).token_type, "Bearer");
  });

  it("oidcc-registration-sector-uri: a sector document that lists the redirect URI", async () => {
    const documents = { [sectorUri]: [callbackUri] };
    const client = { redirectUris: [callbackUri], sectorIdentifierUri: sectorUri };
    assertEquals((await tryToRegister(client, documents)).status, 201);
  });

  it("oidcc-registration-sector-bad: no registration if the sector document lists another URI", async () => {
    const documents = { [sectorUri]: [otherUri] };
    const client = { redirectUris: [callbackUri], sectorIdentifierUri: sectorUri };
    const { status, body } = await tryToRegister(client, documents);
    assertEquals([status, body.error], [400, "invalid_client_metadata"]);
  });

  it.withSuite("oidcc-server-rotate-keys: new tokens are signed with a key that was published before", async (suite) => {
    const kid = await kidOfNewToken(suite);
    let [nextKid, published] = [kid, [kid]];
    for (let n = 0; n < 10 && nextKid === kid; n++) {
      // Makes the keys that are due.
      await suite.kit.server.ready();
      const { keys } = (await read(await suite.kit.get("/oauth2/jwks"))).body;
      published = keys.map(({ kid }) => kid);
      suite.kit.clock.advance(pause);
      nextKid = await kidOfNewToken(suite);
    }
    assertNotEquals(nextKid, kid);
    assert(published.includes(nextKid));
  });

  it("oidcc-refresh-token-rp-key-rotation: the server reads the client's new key", async () => {
    const documents = { [jwksUri]: { keys: [key.publicJwk] } };
    const suite = await openRegistered({ jwksUri }, documents);
    const { refresh_token } = await suite.tokens();
    documents[jwksUri] = { keys: [nextKey.publicJwk] };
    suite.key = nextKey;
    suite.kit.clock.advance(60);
    const { status } = await suite.token({ grant_type: "refresh_token", refresh_token });
    assertEquals(status, 200);
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

  it.withSuite("oidcc-refresh-token: a refresh token works for its client alone", async (suite) => {
    const { refresh_token } = await suite.tokens();
    const fields = { grant_type: "refresh_token", refresh_token };
    assertEquals((await suite.kit.token({ ...fields, client_id: suite.clientId })).status, 401);
    assertEquals((await suite.token(fields)).status, 200);
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
