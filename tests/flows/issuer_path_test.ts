import { assertEquals, assertMatch } from "@std/assert";
import { createLocalJWKSet, jwtVerify } from "jose";
import { describe, it } from "node:test";
import { hallpass } from "../../src/lab/testing/mod.ts";
import { protectedResource } from "../../src/resource/protected_resource.ts";
import { assertionClaims, assertionType, makeClientKey } from "../support/client_key.ts";
import { openKit, read } from "../support/kit.ts";
import { authorizationUrl } from "../support/login.ts";

/** Issuers that differ from an origin: what a client compares them with must not change a byte. */
const issuers = [
  "https://id.example/",
  "https://id.example/tenant/",
  "https://id.example/realms/a/b/c",
  "https://id.example/realms/a%20b/",
];

/** Where a client may look for the metadata: after the issuer, or before its path (RFC 8414). */
function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}

describe("An issuer with a trailing slash or a deep path", () => {
  for (const issuer of issuers) {
    it(`${issuer} is the same in metadata, responses and tokens, byte for byte`, async () => {
      await using lab = await hallpass({ issuer });
      for (const url of metadataUrls(issuer)) {
        assertEquals((await (await lab.fetch(url)).json()).issuer, issuer);
      }
      const { callback } = await lab.authorize(
        authorizationUrl({ issuer: issuer.replace(/\/$/, "") }),
        { user: "alice" },
      );
      assertEquals(new URL(callback).searchParams.get("iss"), issuer);
      assertEquals(lab.flows()[0]?.steps.map(({ what }) => what).at(-1), "answered");
      const tokens = await lab.mint({ sub: "alice", scope: "openid" });
      const metadata = await (await lab.fetch(metadataUrls(issuer)[0] ?? "")).json();
      const keys = createLocalJWKSet(await (await lab.fetch(metadata.jwks_uri)).json());
      for (const token of [tokens.access_token, tokens.id_token ?? ""]) {
        assertEquals((await jwtVerify(token, keys, { issuer })).payload.iss, issuer);
      }
    });

    it(`${issuer} is the audience of assertions, and nothing like it`, async () => {
      const key = await makeClientKey();
      const clients = [{ id: "robot", jwks: { keys: [key.publicJwk] }, scopes: ["read"] }];
      const kit = openKit({ issuer, clients });
      const statusFor = async (aud: string) => {
        const client_assertion = await key.sign({ ...assertionClaims(kit, "robot"), aud });
        const url = String(kit.server.context.metadata().token_endpoint);
        const body = new URLSearchParams({
          grant_type: "client_credentials",
          client_assertion_type: assertionType,
          client_assertion,
        });
        const request = new Request(url, { method: "POST", body });
        return (await read(await kit.server.fetch(request))).status;
      };
      const other = issuer.endsWith("/") ? issuer.slice(0, -1) : `${issuer}/`;
      assertEquals([await statusFor(issuer), await statusFor(other)], [200, 401]);
    });
  }

  it("has pages whose links stay on the server", async () => {
    const kit = openKit({ issuer: "https://id.example/tenant/" });
    const html = await (await kit.server.fetch(new Request("https://id.example/tenant/"))).text();
    for (const [, link = ""] of html.matchAll(/ (?:href|action|src)="([^"]*)"/g)) {
      assertMatch(link, /^(?:\/tenant\/(?!\/)|https:)/);
    }
  });

  it("is told apart by an API that names another", async () => {
    const issuer = "https://id.example/tenant/";
    await using lab = await hallpass({ issuer });
    const { access_token } = await lab.mint({ sub: "alice", audience: "https://api.example" });
    const request = new Request("https://api.example/", {
      headers: { Authorization: `Bearer ${access_token}` },
    });
    const accepts = async (issuer: string) => {
      const api = protectedResource({
        resource: "https://api.example",
        authorizationServers: [issuer],
        fetch: lab.fetch as typeof fetch,
      });
      return !(await api.require(request) instanceof Response);
    };
    assertEquals([await accepts(issuer), await accepts("https://id.example/tenant")], [
      true,
      false,
    ]);
  });
});
