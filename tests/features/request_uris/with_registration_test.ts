import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { callbackUri, codeOf, openSuite, type Suite } from "../../conformance/suite.ts";
import { makeClientKey } from "../../support/client_key.ts";
import { read } from "../../support/flow_kit.ts";
import { type Kit, openStrictKit } from "../../support/kit.ts";
import { initialAccessToken, register, sendJson } from "../../support/registration.ts";
import { claims, jwtResponse, key, objectUri } from "./published_requests.ts";

const suiteKey = await makeClientKey("RS256", "suite-key");

/** The hash of something else: the suite does not know its object when it registers. */
const suiteUri = `https://suite.example/requesturi/${"a".repeat(64)}#${"b".repeat(43)}`;

/** The client of the certification suite, and what it publishes. */
async function openReferringSuite(): Promise<{ suite: Suite; publish(object: string): void }> {
  let published = "";
  const suite = await openSuite({
    registration: "registered",
    key: suiteKey,
    client: { requestUris: [suiteUri], requestObjectAlg: "RS256" },
    config: { requestUris: true },
    fetch: async () => jwtResponse(published, "application/jwt"),
  });
  return { suite, publish: (object) => void (published = object) };
}

describe("The modules of oidcc-dynamic-certification-test-plan about request_uri", () => {
  it("oidcc-discovery-endpoint-verification: request_uri is announced, for registered URIs", async () => {
    const { suite: { kit } } = await openReferringSuite();
    const { text } = await read(await kit.get("/.well-known/openid-configuration"));
    const metadata = JSON.parse(text);
    assertEquals(metadata.request_uri_parameter_supported, true);
    assertEquals(metadata.require_request_uri_registration, true);
    assertEquals(metadata.request_object_signing_alg_values_supported.includes("RS256"), true);
  });

  it("oidcc-request-uri-unsigned: 'none' is not offered, so the suite skips the module", async () => {
    const { suite: { kit } } = await openReferringSuite();
    const { text } = await read(await kit.get("/.well-known/openid-configuration"));
    const { request_object_signing_alg_values_supported: algs } = JSON.parse(text);
    assertEquals(algs.includes("none"), false);
  });

  it("O16 oidcc-request-uri-signed-rs256: an object without times leads to a code", async () => {
    const { suite, publish } = await openReferringSuite();
    const parameters = Object.fromEntries(new URL(suite.urlOf({ state: "s" })).searchParams);
    const { issuer: aud } = suite.kit;
    publish(await suiteKey.sign({ ...parameters, aud, iss: suite.clientId }));
    const { parameters: response } = await suite.authorize({ request_uri: suiteUri });
    assertEquals(response.get("state"), "s");
    assertEquals((await suite.redeem(codeOf(response))).status, 200);
  });
});

/** Opens a server at which clients register, and counts what it fetches. */
function openOffering(registration: object) {
  const fetched: string[] = [];
  let published = "";
  const kit = openStrictKit({
    requestUris: true,
    registration,
    async fetchUntrusted(url) {
      fetched.push(url);
      return jwtResponse(published);
    },
  });
  const publish = async (changes: object) => {
    published = await key.sign(claims(kit, { ...changes }));
  };
  return { kit, fetched, publish };
}

async function open(kit: Kit, client_id: string, request_uri: string) {
  const query = new URLSearchParams({ client_id, request_uri });
  return await kit.browser().open(`${kit.issuer}/oauth2/authorize?${query}`);
}

describe("A client that registers where its request objects are (OpenID Connect Registration, section 2)", () => {
  const jwks = { keys: [key.publicJwk] };

  for (
    const [what, registration, token] of [
      ["openly", { open: true }, undefined],
      ["with an initial access token", { initialAccessToken }, initialAccessToken],
    ] as const
  ) {
    it(`O16 has them on the origin of its redirect URIs: ${what}`, async () => {
      const { kit, fetched, publish } = openOffering(registration);
      const { status, body } = await register(kit, { jwks, request_uris: [objectUri] }, token);
      const { client_id } = body;
      assertEquals(status, 201);
      const [redirect_uri = ""] = body.redirect_uris;
      await publish({ client_id, iss: client_id, redirect_uri });
      assertEquals((await open(kit, client_id, objectUri)).status, 200);
      assertEquals(fetched, [objectUri]);
    });

    it(`O16 is refused on another origin: ${what}`, async () => {
      const { kit } = openOffering(registration);
      for (const uri of ["https://victim.example/x", "https://app.example:8443/x"]) {
        const { status, body } = await register(kit, { jwks, request_uris: [uri] }, token);
        assertEquals([status, body.error], [400, "invalid_client_metadata"]);
        assertMatch(body.error_description, /does not have the origin of a redirect URI/);
      }
    });
  }

  it("O16 is read nowhere else, even if the operator trusts those who register", async () => {
    const { kit, fetched } = openOffering({ initialAccessToken, trusted: true });
    const uri = "https://victim.example/x";
    const { body } = await register(kit, { jwks, request_uris: [uri] }, initialAccessToken);
    const url = kit.authorizationUrl({
      client_id: body.client_id,
      redirect_uri: body.redirect_uris[0],
      request_uri: uri,
    });
    const callback = new URL((await kit.browser().open(url)).url);
    assertEquals(callback.searchParams.get("error"), "request_uri_not_supported");
    assertEquals(fetched, []);
  });

  it("O16 is refused by a server that reads none", async () => {
    const kit = openStrictKit({ registration: { open: true } });
    const { body } = await register(kit, { jwks, request_uris: [objectUri] });
    assertMatch(body.error_description, /'request_uris' asks for something that this server does/);
    const url = `${kit.issuer}/oauth2/register`;
    const redirect_uris = [callbackUri];
    assertEquals((await sendJson(kit, "POST", url, { redirect_uris })).status, 201);
  });
});
