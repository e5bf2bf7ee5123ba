import { assert, assertEquals } from "@std/assert";
import { describe } from "node:test";
import { agent, agentHeaders, openRequest } from "../../support/ciba.ts";
import { makeProof, type ProofChanges, proofKey } from "../../support/dpop.ts";
import { itWith } from "../../support/it_with.ts";
import { claimsOf, isActive, type Kit, openKit, seesTokens } from "../../support/kit.ts";

const clients = [agent({ dpop: "required", ...seesTokens })];
const it = itWith({ withRequest: () => openBound(openKit({ clients })) });

/** Begins a request of a client whose tokens are bound to a key. */
async function openBound(kit: Kit) {
  const request = await openRequest(kit);
  const url = `${kit.issuer}/oauth2/token`;
  /** Polls with a proof, with a test's changes. */
  async function poll(changes: ProofChanges = {}, key = "ES256") {
    const proof = { now: kit.clock.now, ...changes };
    const DPoP = await makeProof(await proofKey(key), "POST", url, proof);
    return await request.poll({}, { ...agentHeaders, DPoP });
  }
  return {
    ...{ ...request, poll, pollWithoutProof: request.pollError },
    pollError: async (changes?: ProofChanges, key?: string) =>
      (await poll(changes, key)).body.error,
  };
}

async function openUserinfo(kit: Kit, token: string, key: string): Promise<number> {
  const url = `${kit.issuer}/oauth2/userinfo`;
  const DPoP = await makeProof(await proofKey(key), "GET", url, { token });
  const headers = { Authorization: `DPoP ${token}`, DPoP };
  return (await kit.get("/oauth2/userinfo", headers)).status;
}

describe("CIBA with DPoP (CIBA, section 10.1.1; RFC 9449, section 5)", () => {
  it.withRequest("C11 binds the tokens to the key of the poll that gets them", async ({ kit, answer, poll }) => {
    await answer();
    const { access_token, token_type } = (await poll()).body;
    const { cnf } = claimsOf(access_token);
    assertEquals([token_type, cnf.jkt], ["DPoP", (await proofKey()).jkt]);
    const statuses = [
      await openUserinfo(kit, access_token, "ES256"),
      await openUserinfo(kit, access_token, "ES256 another"),
      (await kit.userinfo(access_token)).status,
    ];
    assertEquals(statuses, [200, 401, 401]);
  });

  const wrong: Record<string, ProofChanges> = {
    "for another URL": { claims: { htu: "https://evil.example/oauth2/token" } },
    "for another method": { claims: { htm: "GET" } },
    "of last year": { now: Date.UTC(2025, 0, 1) },
    "that was used": { claims: { jti: "once" } },
  };
  for (const [what, changes] of Object.entries(wrong)) {
    it.withRequest(`C12 refuses a poll with a proof ${what}, which is none and spends nothing`, async ({ kit, answer, pollError }) => {
      if (what === "that was used") await pollError(changes);
      kit.clock.advance(5);
      assertEquals(await pollError(changes), "invalid_dpop_proof");
      assertEquals(await pollError(), "authorization_pending");
      await answer();
      assertEquals(await pollError(changes), "invalid_dpop_proof");
      assertEquals(await pollError(), undefined);
    });
  }

  it.withRequest("C12 refuses a poll without a proof if the tokens of the client are bound", async ({ answer, pollError, pollWithoutProof }) => {
    await answer();
    assertEquals(await pollWithoutProof(), "invalid_dpop_proof");
    assertEquals(await pollError(), undefined);
  });

  it("C13 counts no poll that only learns the nonce", async () => {
    const { poll, pollError } = await openBound(openKit({ clients, dpopNonces: true }));
    const { headers, body } = await poll();
    assertEquals(body.error, "use_dpop_nonce");
    const nonce = headers.get("DPoP-Nonce") ?? "";
    assertEquals(await pollError({ claims: { nonce } }), "authorization_pending");
  });

  it.withRequest("C12 revokes everything when the auth_req_id comes with another key", async ({ kit, answer, poll, pollError }) => {
    await answer();
    const { access_token } = (await poll()).body;
    assert(await isActive(kit, access_token, agentHeaders));
    assertEquals(await pollError({}, "ES256 another"), "invalid_grant");
    assertEquals(await isActive(kit, access_token, agentHeaders), false);
  });
});
