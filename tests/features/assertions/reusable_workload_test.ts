import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { findLeniencies } from "../../../src/program/operate/leniencies.ts";
import { jwtBearerGrantType } from "../../../src/server/protocol/grant_types.ts";
import { hour } from "../../../src/server/util/time/duration.ts";
import { makeClientKey, seconds } from "../../support/client_key.ts";
import { type Kit, openStrictKit } from "../../support/kit.ts";
import { itRefuses } from "../../support/refusals.ts";

const google = "https://accounts.google.com";
const key = await makeClientKey("RS256", "k");

/** Opens a server that trusts an issuer whose tokens have no `jti`. */
function openKit(reusable?: boolean): Kit {
  return openStrictKit({
    grantTypes: [jwtBearerGrantType],
    resources: ["https://api.example"],
    scopes: { read: "Read" },
    clients: [],
    workloadIssuers: [{
      name: "google",
      issuer: google,
      audience: "hallpass",
      jwks: { keys: [key.publicJwk] },
      ...reusable !== undefined && { reusable },
      workloads: [{
        claims: { sub: "104029" },
        resources: ["https://api.example"],
        scopes: ["read"],
      }],
    }],
  });
}

async function bring(kit: Kit, claims: object = {}) {
  const iat = seconds(kit);
  const all = { iss: google, sub: "104029", aud: "hallpass", iat, exp: iat + hour, ...claims };
  const assertion = await key.sign(all, { typ: "JWT" });
  const fields = { client_id: undefined, grant_type: jwtBearerGrantType, assertion };
  return { once: () => kit.token(fields) };
}

describe("An issuer whose tokens are reusable", () => {
  it("W10: gives tokens without a jti, which work again until they expire", async () => {
    const kit = openKit(true);
    const token = await bring(kit);
    assertEquals((await token.once()).status, 200);
    assertEquals((await token.once()).status, 200);
    kit.clock.advance(hour + 11);
    assertEquals((await token.once()).status, 400);
  });

  it("W10: may give tokens for a day, dated back by five minutes", async () => {
    const kit = openKit(true);
    const iat = seconds(kit) - 300;
    const token = await bring(kit, { iat, nbf: iat, exp: seconds(kit) + 24 * hour });
    assertEquals((await token.once()).status, 200);
  });

  itRefuses({
    "W10: a token for two days": [
      "workload.times",
      async (kit) => await (await bring(kit, { exp: seconds(kit) + 48 * hour })).once(),
    ],
  }, { open: () => openKit(true) });

  itRefuses({
    "W10: a token without a jti, unless they are": [
      "workload.jti",
      async (kit) => await (await bring(kit)).once(),
    ],
  }, { open: () => openKit() });

  it("W10 S14: is a leniency", () => {
    const { settings } = openKit(true).server.context;
    const names = findLeniencies(settings, []).map(({ setting }) => setting);
    assertEquals(names, ["workloadIssuers google: reusable"]);
  });
});
