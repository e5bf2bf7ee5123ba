import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { demoIssuerKey } from "../../../src/lab/demo/demo_keys.ts";
import type { Config } from "../../../src/server/mod.ts";
import { jwtBearerGrantType } from "../../../src/server/protocol/grant_types.ts";
import { makeClientKey, seconds } from "../../support/client_key.ts";
import { basic, isActive, type Kit, type ReadResponse } from "../../support/kit.ts";
import { openWithAndWithout } from "../../support/without_feature.ts";
import { demoAssertion } from "./assertions.ts";

const cluster = "https://cluster.example";
const api = "https://api.example";
const secret = "a-secret-of-22-characters";
const headers = basic("broker", secret);
const key = await makeClientKey("ES256", "k");
const { d: _, ...demoKey } = demoIssuerKey;

const issuers: Partial<Config> = {
  trustedIssuers: [{
    issuer: "https://issuer.example",
    jwks: { keys: [demoKey] },
    clients: ["broker"],
  }],
  workloadIssuers: [{
    name: "cluster",
    issuer: cluster,
    jwks: { keys: [key.publicJwk] },
    workloads: [{ claims: { sub: "pod" }, resources: [api], scopes: ["read"] }],
  }],
};

/** Opens two servers on one store: one that accepts assertions, and one that does not. */
function openBoth() {
  const config = (grantTypes: string[]) => ({
    resources: [api],
    scopes: { openid: "Sign in", read: "Read" },
    clients: [{ id: "broker", secret, resources: [api], grantTypes }],
    grantTypes,
  });
  const ofWhole = { ...issuers, ...config(["client_credentials", jwtBearerGrantType]) };
  return openWithAndWithout("assertions", config(["client_credentials"]), ofWhole);
}

async function podToken(kit: Kit): Promise<string> {
  const now = seconds(kit);
  const aud = `${kit.issuer}/oauth2/token`;
  return await key.sign({ iss: cluster, sub: "pod", aud, jti: "p", iat: now, exp: now + 60 });
}

/** Presents an assertion: as the broker, or without any client. */
async function bring(kit: Kit, assertion: string, as?: typeof headers): Promise<ReadResponse> {
  const fields = { client_id: undefined, grant_type: jwtBearerGrantType, assertion, resource: api };
  return await kit.token(fields, as);
}

describe("A server without assertions", () => {
  it("redeems no assertion, with a client or without one", async () => {
    const { without } = openBoth();
    const ofUser = await bring(without, await demoAssertion(without), headers);
    assertEquals(ofUser.body.error, "unsupported_grant_type");
    const ofPod = await bring(without, await podToken(without));
    assertEquals([ofPod.status, ofPod.body.error], [401, "invalid_client"]);
  });

  it("finds no token active that came from one: it trusts no issuer, and knows no workload", async () => {
    const { whole, without } = openBoth();
    const ofUser = await bring(whole, await demoAssertion(whole), headers);
    const ofPod = await bring(whole, await podToken(whole));
    for (const { status, body } of [ofUser, ofPod]) {
      assertEquals(status, 200);
      const active = [whole, without].map((kit) => isActive(kit, body.access_token, headers));
      assertEquals(await Promise.all(active), [true, false]);
    }
  });

  it("advertises neither the grant nor ID-JAGs", async () => {
    const metadata = await openBoth().without.metadata();
    assertEquals(metadata.authorization_grant_profiles_supported, undefined);
    assertEquals(metadata.grant_types_supported, ["client_credentials"]);
  });
});
