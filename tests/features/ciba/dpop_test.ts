import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { agent, agentHeaders, answerCiba, beginCiba, pollCiba } from "../../support/ciba.ts";
import { makeProof, type ProofChanges, proofKey } from "../../support/dpop.ts";
import { claimsOf, isActive, type Kit, openKit, seesTokens } from "../../support/kit.ts";

/** Polls with a proof of a key, with a test's changes. */
async function poll(kit: Kit, id: string, keyName = "ES256", changes: ProofChanges = {}) {
  const proof = await makeProof(await proofKey(keyName), "POST", `${kit.issuer}/oauth2/token`, {
    now: kit.clock.now,
    ...changes,
  });
  return await pollCiba(kit, id, {}, { ...agentHeaders, DPoP: proof });
}

async function openUserinfo(kit: Kit, token: string, keyName: string): Promise<number> {
  const url = `${kit.issuer}/oauth2/userinfo`;
  const options = { token, now: kit.clock.now };
  const proof = await makeProof(await proofKey(keyName), "GET", url, options);
  return (await kit.get("/oauth2/userinfo", { Authorization: `DPoP ${token}`, DPoP: proof }))
    .status;
}

const bound = agent({ dpop: "required", ...seesTokens });

describe("CIBA with DPoP (CIBA, section 10.1.1; RFC 9449, section 5)", () => {
  it("C11 binds the tokens to the key of the poll that gets them", async () => {
    const kit = openKit({ clients: [bound] });
    const { body } = await beginCiba(kit);
    assertEquals((await poll(kit, body.auth_req_id)).body.error, "authorization_pending");
    await answerCiba(kit);
    const { body: tokens } = await poll(kit, body.auth_req_id);
    const { cnf } = claimsOf<{ cnf?: { jkt?: string } }>(tokens.access_token);
    assertEquals([tokens.token_type, cnf?.jkt], ["DPoP", (await proofKey()).jkt]);
    const statuses = [
      await openUserinfo(kit, tokens.access_token, "ES256"),
      await openUserinfo(kit, tokens.access_token, "ES256 another"),
      (await kit.userinfo(tokens.access_token)).status,
    ];
    assertEquals(statuses, [200, 401, 401]);
  });

  const wrong: Record<string, ProofChanges> = {
    "for another URL": { claims: { htu: "https://evil.example/oauth2/token" } },
    "for another method": { claims: { htm: "GET" } },
    "of last year": { now: Date.UTC(2025, 0, 1) },
  };
  for (const [what, changes] of Object.entries(wrong)) {
    it(`C12 refuses a poll with a proof ${what}, which is none and spends nothing`, async () => {
      const kit = openKit({ clients: [bound] });
      const { body } = await beginCiba(kit);
      const refused = () => poll(kit, body.auth_req_id, "ES256", changes);
      assertEquals((await refused()).body.error, "invalid_dpop_proof");
      assertEquals((await poll(kit, body.auth_req_id)).body.error, "authorization_pending");
      await answerCiba(kit);
      assertEquals((await refused()).body.error, "invalid_dpop_proof");
      assertEquals((await poll(kit, body.auth_req_id)).status, 200);
    });
  }

  it("C12 refuses a poll without a proof if the tokens of the client are bound", async () => {
    const kit = openKit({ clients: [bound] });
    const { body } = await beginCiba(kit);
    await answerCiba(kit);
    assertEquals((await pollCiba(kit, body.auth_req_id)).body.error, "invalid_dpop_proof");
    assertEquals((await poll(kit, body.auth_req_id)).status, 200);
  });

  it("C13 counts no poll that only learns the nonce", async () => {
    const kit = openKit({ clients: [bound], dpopNonces: true });
    const { body } = await beginCiba(kit);
    const first = await poll(kit, body.auth_req_id);
    assertEquals(first.body.error, "use_dpop_nonce");
    const nonce = first.headers.get("DPoP-Nonce") ?? "";
    const second = await poll(kit, body.auth_req_id, "ES256", { claims: { nonce } });
    assertEquals(second.body.error, "authorization_pending");
  });

  it("C12 takes no proof twice, and revokes everything when the auth_req_id comes with another key", async () => {
    const kit = openKit({ clients: [bound] });
    const { body } = await beginCiba(kit);
    const claims = { jti: "once" };
    assertEquals(
      (await poll(kit, body.auth_req_id, "ES256", { claims })).body.error,
      "authorization_pending",
    );
    await answerCiba(kit);
    assertEquals(
      (await poll(kit, body.auth_req_id, "ES256", { claims })).body.error,
      "invalid_dpop_proof",
    );
    const { access_token } = (await poll(kit, body.auth_req_id)).body;
    assert(await isActive(kit, access_token, agentHeaders));
    const again = await poll(kit, body.auth_req_id, "ES256 another");
    assertEquals(again.body.error, "invalid_grant");
    assertEquals(await isActive(kit, access_token, agentHeaders), false);
  });
});
