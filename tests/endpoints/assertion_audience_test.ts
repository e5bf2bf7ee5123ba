import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { LabConfig } from "../../src/lab/lab_config.ts";
import type { ClientConfig } from "../../src/server/features.ts";
import { cibaGrant } from "../support/ciba.ts";
import { assertionClaims, assertionType, makeClientKey } from "../support/client_key.ts";
import { type Kit, openKit, read } from "../support/kit.ts";
import { hasFeature } from "../support/where_feature.ts";

const issuer = "https://hallpass.test";
const alias = "https://mtls.hallpass.test";
const key = await makeClientKey("ES256");

/** The endpoints at which clients authenticate, and the feature of each. */
const endpoints: ReadonlyArray<[path: string, feature?: string]> = [
  ["/oauth2/token"],
  ["/oauth2/par", "pushed authorization requests"],
  ["/oauth2/introspect", "introspection"],
  ["/oauth2/revoke", "revocation"],
  ["/oauth2/backchannel_authentication", "backchannel authentication"],
];

const backchannel = "/oauth2/backchannel_authentication";

const mtls = hasFeature("mutual TLS") ? { mtls: { url: alias } } : {};

/**
 * Audiences of an assertion that is sent to an endpoint
 * (oidcc-ensure-client-assertion-with-iss-aud-succeeds, par-test-array-as-audience-fails,
 * par-test-token-endpoint-url-as-audience-fails, par-test-par-endpoint-url-as-audience-fails).
 */
const audiences: Readonly<Record<string, (path: string) => unknown>> = {
  "the issuer": () => issuer,
  "the issuer in a list": () => [issuer],
  "the token endpoint": () => `${issuer}/oauth2/token`,
  "the alias of the token endpoint": () => `${alias}/oauth2/token`,
  "the endpoint of the request": (path) => issuer + path,
  "the alias of the endpoint of the request": (path) => alias + path,
  "the issuer and the endpoint of the request": (path) => [issuer, issuer + path],
  "another endpoint": () => `${issuer}/oauth2/jwks`,
  "the address of the aliases": () => alias,
  "the token endpoint of another server": () => "https://other.example/oauth2/token",
  "the issuer and another server": () => [issuer, "https://other.example"],
  "an empty list": () => [],
  "no value": () => undefined,
};

/** What identifies a server that a client calls at one of its endpoints. */
const ownAudiences = Object.keys(audiences).slice(0, 7)
  .filter((what) => hasFeature("mutual TLS") || !what.includes("alias"));

/** Which audiences each kind of server or client permits at an endpoint. */
const kinds: Readonly<
  Record<string, {
    client?: Partial<ClientConfig>;
    server?: Partial<LabConfig>;
    accepted: (path: string) => readonly string[];
  }>
> = {
  "by default": { accepted: (path) => path === backchannel ? ownAudiences : ["the issuer"] },
  "with 'assertionAudience'": {
    client: { assertionAudience: "token-endpoint" },
    accepted: () => ownAudiences,
  },
  "under fapi-2.0": { server: { profile: "fapi-2.0" }, accepted: () => ["the issuer"] },
};

describe("The audience of client assertions (RFC 10070, section 4; CIBA, section 7.1; CVE-2025-27370)", () => {
  for (const [path, feature] of endpoints) {
    if (feature !== undefined && !hasFeature(feature)) continue;
    for (const [kind, { client, server, accepted }] of Object.entries(kinds)) {
      it(`T11 C08 is checked at ${path} ${kind}`, async () => {
        const robot: ClientConfig = {
          id: "robot",
          jwks: { keys: [key.publicJwk] },
          ...path === backchannel && { grantTypes: [cibaGrant] },
          ...client,
        };
        const kit = openKit({ clients: [robot], ...mtls, ...server });
        const taken: string[] = [];
        for (const [what, audienceAt] of Object.entries(audiences)) {
          if (await isAuthenticated(kit, path, audienceAt(path))) taken.push(what);
        }
        assertEquals(taken, accepted(path));
      });
    }
  }
});

/** Whether a server accepts an assertion. What else is wrong with the request, it says later. */
async function isAuthenticated(kit: Kit, path: string, aud: unknown): Promise<boolean> {
  const client_assertion = await key.sign({ ...assertionClaims(kit, "robot"), aud });
  const fields = { client_assertion_type: assertionType, client_assertion };
  const { status, body } = await read(await kit.post(path, fields));
  assertEquals(status === 401, body.error === "invalid_client");
  return status !== 401;
}
