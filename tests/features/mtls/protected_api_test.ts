import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import {
  protectedResource,
  type ProtectedResourceConfig,
} from "../../../src/resource/protected_resource.ts";
import type { ClientConfig } from "../../../src/server/features.ts";
import { makeProof, proofKey } from "../../support/dpop.ts";
import type { Kit } from "../../support/kit.ts";
import { hasFeature } from "../../support/where_feature.ts";
import { bound, openMtls, redeemFor } from "./mtls_kit.ts";
import { type CertificateName, derOf } from "./read_certificates.ts";

const resource = "https://api.example";
const secret = "a-secret-of-32-letters-and-digits";
const owner: ClientConfig = { id: "api", secret, resources: [resource] };

/** Opens an API, and a server with a client whose token is bound to a certificate. */
async function openApi(changes: Partial<ProtectedResourceConfig> = {}, headers = {}) {
  const kit = openMtls([bound, owner], ["plain"], { resources: [resource] });
  const asked = { resource, scope: "openid read" };
  const { access_token: token } = (await redeemWith(kit, headers, asked)).body;
  let sent: CertificateName | undefined = "plain";
  const api = protectedResource({
    resource,
    authorizationServers: [kit.issuer],
    now: () => kit.clock.now,
    fetch: (url, { signal: _, ...init }) => kit.server.fetch(new Request(url, init)),
    certificateOf: () => sent && derOf(sent),
    ...changes,
  });
  const call = async (certificate?: CertificateName, headers?: Record<string, string>) => {
    sent = certificate;
    const authorization = { Authorization: `Bearer ${token}` };
    const request = new Request(`${resource}/orders`, { headers: headers ?? authorization });
    const access = await api.require(request);
    return access instanceof Response ? access : new Response(null, { status: 200 });
  };
  return { kit, api, token, call };
}

async function redeemWith(
  kit: Kit,
  headers: Record<string, string>,
  asked: Record<string, string>,
) {
  if (!("DPoP" in headers)) return await redeemFor(kit, "bound", {}, asked);
  const toClient = { client_id: "bound", redirect_uri: String(bound.redirectUris) };
  const key = await proofKey();
  const DPoP = await makeProof(key, "POST", `${kit.issuer}/oauth2/token`, { now: kit.clock.now });
  return await kit.redeem(await kit.code({ ...toClient, ...asked }), toClient, { DPoP });
}

/** How an API reads tokens: by itself, or from the server. */
const readers: Array<[how: string, changes: Partial<ProtectedResourceConfig>]> = [
  ["verifies JWTs", {}],
  ...hasFeature("introspection")
    ? [["introspects", {
      authorizationServers: [{
        issuer: "https://hallpass.test",
        introspection: { clientId: "api", clientSecret: secret },
      }],
    }] as [string, Partial<ProtectedResourceConfig>]]
    : [],
];

describe("An API that gets tokens which are bound to a certificate (RFC 8705, section 3)", () => {
  for (const [how, changes] of readers) {
    it(`M05: takes them with that certificate alone, if it ${how}`, async () => {
      const { call } = await openApi(changes);
      assertEquals((await call("plain")).status, 200);
      for (const other of ["forged", undefined] as const) {
        const response = await call(other);
        assertEquals(response.status, 401);
        assertMatch(response.headers.get("WWW-Authenticate") ?? "", /error="invalid_token"/);
      }
    });
  }

  it("M05: refuses them where it gets no certificates", async () => {
    const { kit, token } = await openApi();
    const api = protectedResource({
      resource,
      authorizationServers: [kit.issuer],
      now: () => kit.clock.now,
      fetch: (url, { signal: _, ...init }) => kit.server.fetch(new Request(url, init)),
    });
    const headers = { Authorization: `Bearer ${token}`, "Client-Cert": `:${btoa("a")}:` };
    const access = await api.require(new Request(`${resource}/orders`, { headers }));
    assertEquals(access instanceof Response && access.status, 401);
    assertEquals(api.metadata.tls_client_certificate_bound_access_tokens, undefined);
  });

  it("M05: needs the certificate beside the proof of a token that is bound to both", async () => {
    const { kit, token, call } = await openApi({}, { DPoP: "made when it is sent" });
    const url = `${resource}/orders`;
    const prove = async () => ({
      Authorization: `DPoP ${token}`,
      DPoP: await makeProof(await proofKey(), "GET", url, { now: kit.clock.now, token }),
    });
    assertEquals((await call("plain", await prove())).status, 200);
    assertEquals((await call("forged", await prove())).status, 401);
    assertEquals((await call("plain")).status, 401);
  });

  it("says so in its metadata (RFC 9728, section 2)", async () => {
    const { api } = await openApi();
    assertEquals(api.metadata.tls_client_certificate_bound_access_tokens, true);
  });
});
