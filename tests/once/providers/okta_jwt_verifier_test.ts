import OktaJwtVerifier from "@okta/jwt-verifier";
import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import type { TestLab } from "../../../src/lab/testing/mod.ts";
import { clientAt, openProvider, webClient } from "../../support/provider_login.ts";

// The verifier brings types of Node 15, which would replace those of the runtime: `package.json`
// overrides them with an empty package.
const scope = "openid profile";

/** The verifier as an API makes it, at the lab in place of Okta. */
function verifierFor({ issuer }: TestLab, options: Record<string, unknown> = {}): OktaJwtVerifier {
  return new OktaJwtVerifier({
    issuer,
    clientId: webClient.id,
    testing: { disableHttpsCheck: true },
    ...options,
  });
}

async function tokensOf(lab: TestLab) {
  return (await clientAt(lab, "okta").logIn({ scope, nonce: "n" })).tokens;
}

describe("@okta/jwt-verifier, with nothing changed but the issuer", () => {
  it("verifies an access token, and reads cid, uid and the list in scp", async () => {
    await using lab = await openProvider("okta", { listen: true });
    const { access_token } = await tokensOf(lab);
    const { claims } = await verifierFor(lab).verifyAccessToken(access_token, "api://default");
    assertEquals([claims.cid, claims.scp, claims.ver], ["web", scope.split(" "), 1]);
    const includes = verifierFor(lab, {
      assertClaims: { "scp.includes": ["profile"], cid: "web" },
    });
    await includes.verifyAccessToken(access_token, "api://default");
  });

  it("verifies an ID token with its nonce", async () => {
    await using lab = await openProvider("okta", { listen: true });
    const { id_token } = await tokensOf(lab);
    const { claims } = await verifierFor(lab).verifyIdToken(id_token, webClient.id, "n");
    assertEquals([claims.name, claims.ver], ["Alice Adler", 1]);
    await assertRejects(() => verifierFor(lab).verifyIdToken(id_token, webClient.id, "other"));
  });

  const refusals: Array<[what: string, options: Record<string, unknown>, audience: string]> = [
    ["audience", {}, "api://other"],
    ["issuer", { issuer: "https://other.example/oauth2/default" }, "api://default"],
    ["scope", { assertClaims: { "scp.includes": ["groups"] } }, "api://default"],
  ];
  for (const [what, options, audience] of refusals) {
    it(`refuses an access token with another ${what}`, async () => {
      await using lab = await openProvider("okta", { listen: true });
      const { access_token } = await tokensOf(lab);
      const jwksUri = `${lab.issuer}/v1/keys`;
      const verifier = verifierFor(lab, { jwksUri, ...options });
      await assertRejects(() => verifier.verifyAccessToken(access_token, audience));
    });
  }

  const forgeries = ["foreign_signature", "alg_none", "expired", "wrong_iss", "wrong_aud"] as const;
  for (const forgery of forgeries) {
    it(`refuses tokens with the fault ${forgery}`, async () => {
      await using lab = await openProvider("okta", { listen: true });
      lab.fault(`access_token.${forgery}`);
      lab.fault(`id_token.${forgery}`);
      const { access_token, id_token } = await tokensOf(lab);
      const verifier = verifierFor(lab);
      await assertRejects(() => verifier.verifyAccessToken(access_token, "api://default"));
      await assertRejects(() => verifier.verifyIdToken(id_token, webClient.id, "n"));
    });
  }
});
