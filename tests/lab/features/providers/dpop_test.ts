import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import type { HallpassOptions, TestLab } from "../../../../src/lab/testing/mod.ts";
import { makeProof, type ProofChanges, proofKey } from "../../../support/dpop.ts";
import { clientAt, openProvider } from "../../../support/provider_login.ts";

type Provider = NonNullable<HallpassOptions["provider"]>;

const entra = "https://hallpass.test/common/oauth2/v2.0";
const microsoft = "https://login.microsoftonline.com/common/oauth2/v2.0";
const keycloak = "https://hallpass.test/realms/master/protocol/openid-connect";

/** Where clients of a provider send their requests. */
const places: Array<[provider: Provider, hosts: boolean, authorize: string, token: string]> = [
  ["entra", false, `${entra}/authorize`, `${entra}/token`],
  ["entra", true, `${microsoft}/authorize`, `${microsoft}/token`],
  ["google", false, "https://hallpass.test/o/oauth2/v2/auth", "https://hallpass.test/token"],
  ["google", false, "https://hallpass.test/o/oauth2/auth", "https://hallpass.test/oauth2/v4/token"],
  [
    ...["google" as const, true, "https://accounts.google.com/o/oauth2/v2/auth"] as const,
    "https://oauth2.googleapis.com/token",
  ],
  ["keycloak", false, `${keycloak}/auth`, `${keycloak}/token`],
];

async function redeem(
  lab: TestLab,
  authorize: string,
  token: string,
  changes: ProofChanges = {},
) {
  const app = clientAt(lab, [authorize, token]);
  const { code } = await app.callback({ scope: "openid" });
  const proof = await makeProof(await proofKey(), "POST", token, {
    now: lab.clock.now(),
    ...changes,
  });
  return await app.redeem(code, {}, { DPoP: proof });
}

describe("A DPoP proof, where a provider has its token endpoint", () => {
  for (const [provider, hosts, authorize, token] of places) {
    it(`names the URL of the request: ${token}`, async () => {
      await using lab = await openProvider(provider, { hosts });
      lab.clock.freeze();
      const { token_type, error_description } = (await redeem(lab, authorize, token)).body;
      assertEquals([token_type, error_description], ["DPoP", undefined]);
    });

    it(`is refused with another URL: ${token}`, async () => {
      await using lab = await openProvider(provider, { hosts });
      lab.clock.freeze();
      const claims = { htu: `${new URL(token).origin}/elsewhere` };
      const { status, body } = await redeem(lab, authorize, token, { claims });
      assertEquals([status, body.error], [400, "invalid_dpop_proof"]);
      assertMatch(lab.requests().at(-1)?.refusal?.description ?? "", /The 'htu' of the proof must/);
    });
  }
});
