import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { ClientConfig } from "../../../src/server/features.ts";
import { sha256OfBytes } from "../../../src/server/util/crypto/hash.ts";
import {
  agent,
  agentHeaders,
  answerCiba,
  beginCiba,
  cibaGrant,
  pollCiba,
} from "../../support/ciba.ts";
import { claimsOf, isActive, type Kit, seesTokens } from "../../support/kit.ts";
import { openMtls, registered, vouched } from "../mtls/mtls_kit.ts";
import { derOf } from "../mtls/read_certificates.ts";

const grants: Partial<ClientConfig> = { grantTypes: [cibaGrant, "refresh_token"] };
const bound = { certificateBoundTokens: true };

/** How a client with a certificate names itself; another certificate is refused by this error. */
const clients: ReadonlyArray<
  [client: ClientConfig, certificate: "plain" | "by_ed", refusal: string]
> = [
  [{ ...vouched, ...grants, ...bound, ...seesTokens }, "plain", "invalid_client"],
  [{ ...registered, ...grants, ...bound, ...seesTokens }, "by_ed", "invalid_client"],
];

async function thumbprint(name: "plain" | "forged" | "by_ed") {
  return { "x5t#S256": await sha256OfBytes(derOf(name)) };
}

function confirmationOf(token: string) {
  return claimsOf<{ cnf?: Record<string, string> }>(token).cnf;
}

describe("CIBA with mutual TLS (FAPI-CIBA, section 5.2.2; RFC 8705, section 3)", () => {
  for (const [client, certificate, refusal] of clients) {
    const fields = { client_id: client.id };
    const poll = (kit: Kit, id: string) => pollCiba(kit, id, fields, {});

    it(`C11 C22 binds the tokens of a client with ${client.authentication} to its certificate`, async () => {
      const kit = openMtls([client], [certificate]);
      const { body } = await beginCiba(kit, { ...fields, scope: "openid" }, {});
      await answerCiba(kit);
      kit.certificates = [derOf("forged")];
      assertEquals((await poll(kit, body.auth_req_id)).body.error, refusal);
      kit.certificates = [];
      assertEquals((await poll(kit, body.auth_req_id)).body.error, refusal);
      kit.certificates = [derOf(certificate)];
      const { access_token, refresh_token } = (await poll(kit, body.auth_req_id)).body;
      assertEquals(confirmationOf(access_token), await thumbprint(certificate));
      assertEquals((await kit.userinfo(access_token)).status, 200);
      kit.certificates = [derOf("forged")];
      assertEquals((await kit.userinfo(access_token)).status, 401);
      const refresh = await kit.refresh(refresh_token, fields);
      assertEquals([refresh.status, refresh.body.error], [401, refusal]);
    });
  }

  it("C11 C12 refuses a poll without the certificate that tokens need, and spends nothing", async () => {
    const kit = openMtls([agent({ ...bound, ...seesTokens })], ["plain"]);
    const { body } = await beginCiba(kit, { scope: "openid" });
    kit.certificates = [];
    assertEquals((await pollCiba(kit, body.auth_req_id)).body.error, "invalid_request");
    kit.certificates = [derOf("plain")];
    // It was no poll: nothing was asked too early.
    assertEquals((await pollCiba(kit, body.auth_req_id)).body.error, "authorization_pending");
    await answerCiba(kit);
    kit.certificates = [];
    assertEquals((await pollCiba(kit, body.auth_req_id)).body.error, "invalid_request");
    kit.certificates = [derOf("plain")];
    const { access_token } = (await pollCiba(kit, body.auth_req_id)).body;
    assertEquals(confirmationOf(access_token), await thumbprint("plain"));
    assert(await isActive(kit, access_token, agentHeaders));
  });

  it("C12 revokes what was issued when a used auth_req_id comes with another certificate", async () => {
    const kit = openMtls([agent({ ...bound, ...seesTokens })], ["plain"]);
    const { body } = await beginCiba(kit, { scope: "openid" });
    await answerCiba(kit);
    const { access_token } = (await pollCiba(kit, body.auth_req_id)).body;
    kit.certificates = [derOf("forged")];
    assertEquals((await pollCiba(kit, body.auth_req_id)).body.error, "invalid_grant");
    kit.certificates = [derOf("plain")];
    assertEquals(await isActive(kit, access_token, agentHeaders), false);
  });
});
