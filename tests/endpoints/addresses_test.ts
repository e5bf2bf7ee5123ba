import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { openLab } from "../../src/lab/open_lab.ts";
import { hallpass } from "../../src/lab/testing/mod.ts";
import { featureFixtures, fixturesOf } from "../features.ts";
import { assertionClaims, assertionType, makeClientKey } from "../support/client_key.ts";
import { makeProof, proofKey } from "../support/dpop.ts";
import { type Kit, openKit, openLabKit, service } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { registerAt } from "../support/registration.ts";
import { hasFeature } from "../support/where_feature.ts";

const issuer = "https://id.example";
const frontChannelUrl = "https://login.example";
const backChannelUrl = "https://hallpass.internal:9000";
const addresses = { issuer, frontChannelUrl, backChannelUrl };

/** The endpoints that a browser is sent to. Everything else is called by programs. */
const forBrowsers = ["authorization_endpoint", "end_session_endpoint"];

describe("The metadata of a server with two addresses", () => {
  it("gives each endpoint the address of the side that calls it", () => {
    const metadata = openKit(addresses).server.context.metadata();
    const endpoints = Object.keys(metadata).filter((name) => /_endpoint$|^jwks_uri$/.test(name));
    const count = 4 + Object.keys(fixturesOf("endpointFields")).length;
    assertEquals(
      endpoints.length,
      count,
      "Add it to `endpointFields` of its feature's fixtures.ts",
    );
    for (const name of endpoints) {
      const { origin } = new URL(String(metadata[name]));
      assertEquals(origin, forBrowsers.includes(name) ? frontChannelUrl : backChannelUrl, name);
    }
  });

  it("is the same by every address, and names one issuer", async () => {
    const { server } = openKit(addresses);
    const at = async (address: string, document: string) =>
      await (await server.fetch(new Request(`${address}/.well-known/${document}`))).text();
    const first = await at(issuer, "openid-configuration");
    assertEquals(JSON.parse(first).issuer, issuer);
    for (const address of [issuer, frontChannelUrl, backChannelUrl]) {
      for (const document of ["openid-configuration", "oauth-authorization-server"]) {
        assertEquals(await at(address, document), first);
      }
    }
  });

  it("falls back to the issuer for a side that is not configured", () => {
    const { authorization_endpoint } = openKit({ issuer, backChannelUrl }).server.context
      .metadata();
    assertEquals(authorization_endpoint, `${issuer}/oauth2/authorize`);
    const { token_endpoint } = openKit({ issuer, frontChannelUrl }).server.context.metadata();
    assertEquals(token_endpoint, `${issuer}/oauth2/token`);
  });
});

describe("A server with two addresses", () => {
  if (hasFeature("registration")) {
    it("sends a registered client to the back channel", async () => {
      const kit = openKit(addresses);
      const door = { issuer: backChannelUrl, fetch: kit.server.fetch };
      const { body } = await registerAt(door, { redirect_uris: ["https://app.example/cb"] });
      assertMatch(body.registration_client_uri, /^https:\/\/hallpass\.internal:9000\/oauth2\//);
    });
  }

  const cookies: Record<string, [issuer: string, name: RegExp]> = {
    "https://login.example": [
      "http://hallpass:9000",
      /^__Host-hallpass-[^=]+=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    ],
    "http://localhost:9000": [
      "https://id.example",
      /^hallpass-[^=]+=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/,
    ],
  };
  for (const [front, [issuer, cookie]] of Object.entries(cookies)) {
    it(`has cookies for ${front}, independent of the scheme of ${issuer}`, async () => {
      const { server } = openKit({ issuer, frontChannelUrl: front });
      const { headers } = await server.fetch(new Request(`${front}/`));
      for (const each of headers.getSetCookie()) assertMatch(each, cookie);
      assertEquals(headers.getSetCookie().length, 1);
    });
  }

  it("links, redirects and sends forms on the address that the browser used", async () => {
    const { server, authorizationUrl } = openKit({ issuer, frontChannelUrl });
    const asked = { redirect_uri: `${frontChannelUrl}/authorized` };
    const { search } = new URL(authorizationUrl(asked));
    const request = new Request(`${frontChannelUrl}/oauth2/authorize${search}`);
    const { headers, status } = await server.fetch(request);
    const location = present(headers.get("Location"));
    assertEquals([status, location.startsWith("/oauth2/interaction/")], [303, true]);
    const own = featureFixtures.flatMap(({ frontPaths = [] }) => frontPaths);
    const pages = ["/", location, ...own].map((path) => new URL(path, frontChannelUrl));
    for (const page of pages) {
      const cookie = headers.getSetCookie().map((each) => each.split(";")[0]).join("; ");
      const opened = await server.fetch(new Request(page, { headers: { Cookie: cookie } }));
      const html = await opened.text();
      for (const [, place] of html.matchAll(/ (?:href|action|src)="([^"]*)"/g)) {
        assertMatch(present(place), /^\/(?!\/)/);
      }
    }
  });

  /** Sends a token request with a DPoP proof for an address. */
  async function askWithProof(kit: Kit, address: string, jti = "once") {
    const changes = { now: kit.clock.now, claims: { jti } };
    const DPoP = await makeProof(await proofKey(), "POST", `${address}/oauth2/token`, changes);
    return await kit.token({ grant_type: "client_credentials" }, { ...service, DPoP });
  }

  for (const address of [issuer, frontChannelUrl, backChannelUrl]) {
    it(`takes a DPoP proof for ${address}, once`, async () => {
      const kit = openKit(addresses);
      assertEquals((await askWithProof(kit, address)).body.token_type, "DPoP");
      assertEquals((await askWithProof(kit, address)).body.error, "invalid_dpop_proof");
    });
  }

  it("takes no DPoP proof for any other address, and names its own", async () => {
    const { status, body } = await askWithProof(openKit(addresses), "https://evil.example");
    assertEquals([status, body.error], [400, "invalid_dpop_proof"]);
    assertMatch(
      body.error_description,
      /id\.example\/oauth2\/token or .*login\.example.* or .*hallpass\.internal/,
    );
  });

  it("is addressed by its issuer in assertions, and by no channel", async () => {
    const key = await makeClientKey();
    const clients = [{ id: "robot", jwks: { keys: [key.publicJwk] }, scopes: ["read"] }];
    const kit = openKit({ ...addresses, clients });
    const ask = async (aud: string) => {
      const client_assertion = await key.sign({ ...assertionClaims(kit, "robot"), aud });
      const proof = { client_assertion_type: assertionType, client_assertion };
      return (await kit.token({ grant_type: "client_credentials", ...proof })).status;
    };
    assertEquals(await ask(issuer), 200);
    assertEquals(await ask(backChannelUrl), 401);
    assertEquals(await ask(frontChannelUrl), 401);
  });
});

describe("A lab with two addresses", () => {
  it("takes orders by either from its own pages, and from no others", async () => {
    await using lab = openLab(addresses);
    const statusAt = async (address: string, headers: Record<string, string> = {}) =>
      (await lab.fetch(new Request(`${address}/lab/settings`, { headers }))).status;
    for (const address of Object.values(addresses)) {
      assertEquals(await statusAt(address), 200);
    }
    assertEquals(await statusAt(backChannelUrl, { Origin: frontChannelUrl }), 200);
    assertEquals(await statusAt("https://evil.example"), 403);
    assertEquals(await statusAt(issuer, { Origin: "https://evil.example" }), 403);
  });

  it("takes over what the global fetch is asked of any of them", async () => {
    await using lab = await hallpass(addresses);
    using _ = lab.intercept();
    for (const address of Object.values(addresses)) {
      assertEquals(await (await fetch(`${address}/health`)).json(), { status: "ok", issuer });
    }
  });

  it("plays its demo clients' part at the front channel, and prints commands for the terminal beside the browser", async () => {
    const { server } = openLabKit(addresses);
    const open = (path: string) =>
      server.fetch(new Request(frontChannelUrl + path, { headers: { Accept: "text/html" } }));
    const { headers } = await open("/start?client_id=demo-spa");
    const { origin, searchParams } = new URL(present(headers.get("Location")));
    assertEquals(origin, frontChannelUrl);
    assertEquals(searchParams.get("redirect_uri"), `${frontChannelUrl}/authorized`);
    const html = await (await open("/lab/clients/demo-service")).text();
    assertMatch(html, /curl https:\/\/login\.example\/oauth2\/token/);
  });
});
