import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { openLab } from "../../src/lab/open_lab.ts";
import { hallpass } from "../../src/lab/testing/mod.ts";
import { featureFixtures, fixturesOf } from "../features.ts";
import { assertionClaims, assertionType, makeClientKey } from "../support/client_key.ts";
import { makeProof, proofKey } from "../support/dpop.ts";
import { openKit, openLabKit, read, service } from "../support/kit.ts";
import { present } from "../support/present.ts";
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
      assertEquals([name, new URL(String(metadata[name])).origin], [
        name,
        forBrowsers.includes(name) ? frontChannelUrl : backChannelUrl,
      ]);
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
    const metadata = openKit({ issuer, backChannelUrl }).server.context.metadata();
    assertEquals(metadata.authorization_endpoint, `${issuer}/oauth2/authorize`);
    assertEquals(
      openKit({ issuer, frontChannelUrl }).server.context.metadata().token_endpoint,
      `${issuer}/oauth2/token`,
    );
  });
});

describe("A server with two addresses", () => {
  if (hasFeature("registration")) {
    it("sends a registered client to the back channel", async () => {
      const kit = openKit(addresses);
      const registration = JSON.stringify({ redirect_uris: ["https://app.example/cb"] });
      const request = new Request(`${backChannelUrl}/oauth2/register`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: registration,
      });
      assertMatch(
        (await read(await kit.server.fetch(request))).body.registration_client_uri,
        /^https:\/\/hallpass\.internal:9000\/oauth2\//,
      );
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
    const query =
      new URL(authorizationUrl({ redirect_uri: `${frontChannelUrl}/authorized` })).search;
    const { headers, status } = await server.fetch(
      new Request(`${frontChannelUrl}/oauth2/authorize${query}`),
    );
    assertEquals(status, 303);
    assertEquals(headers.get("Location")!.startsWith("/oauth2/interaction/"), true);
    const pages = [
      `${frontChannelUrl}/`,
      new URL(headers.get("Location")!, frontChannelUrl).href,
      ...featureFixtures.flatMap(({ frontPaths = [] }) =>
        frontPaths.map((path) => `${frontChannelUrl}${path}`)
      ),
    ];
    for (const page of pages) {
      const cookie = headers.getSetCookie().map((each) => each.split(";")[0]).join("; ");
      const html = await (await server.fetch(new Request(page, { headers: { Cookie: cookie } })))
        .text();
      for (const [, place] of html.matchAll(/ (?:href|action|src)="([^"]*)"/g)) {
        assertMatch(present(place), /^\/(?!\/)/);
      }
    }
  });

  for (const address of [issuer, frontChannelUrl, backChannelUrl]) {
    it(`takes a DPoP proof for ${address}, once`, async () => {
      const kit = openKit(addresses);
      const proof = await makeProof(await proofKey(), "POST", `${address}/oauth2/token`, {
        now: kit.clock.now,
      });
      const ask = async () =>
        (await kit.token({ grant_type: "client_credentials" }, { ...service, DPoP: proof })).body;
      assertEquals((await ask()).token_type, "DPoP");
      assertEquals((await ask()).error, "invalid_dpop_proof");
    });
  }

  it("takes no DPoP proof for any other address, and names its own", async () => {
    const kit = openKit(addresses);
    const proof = await makeProof(await proofKey(), "POST", "https://evil.example/oauth2/token", {
      now: kit.clock.now,
    });
    const { status, body } = await kit.token({ grant_type: "client_credentials" }, {
      ...service,
      DPoP: proof,
    });
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
      return (await kit.token({
        grant_type: "client_credentials",
        client_assertion_type: assertionType,
        client_assertion,
      })).status;
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
    assertEquals(await statusAt(issuer), 200);
    assertEquals(await statusAt(frontChannelUrl), 200);
    assertEquals(await statusAt(backChannelUrl), 200);
    assertEquals(await statusAt(backChannelUrl, { Origin: frontChannelUrl }), 200);
    assertEquals([
      await statusAt("https://evil.example"),
      await statusAt(issuer, { Origin: "https://evil.example" }),
    ], [403, 403]);
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
    const { headers } = await server.fetch(
      new Request(`${frontChannelUrl}/start?client_id=demo-spa`),
    );
    const link = new URL(headers.get("Location")!);
    assertEquals([link.origin, link.searchParams.get("redirect_uri")], [
      frontChannelUrl,
      `${frontChannelUrl}/authorized`,
    ]);
    const page = new Request(`${frontChannelUrl}/lab/clients/demo-service`, {
      headers: { Accept: "text/html" },
    });
    assertMatch(
      await (await server.fetch(page)).text(),
      /curl https:\/\/login\.example\/oauth2\/token/,
    );
  });
});
