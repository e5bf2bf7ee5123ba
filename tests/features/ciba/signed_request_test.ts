import { assertEquals } from "@std/assert";
import type { JWTPayload } from "jose";
import { describe, it } from "node:test";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import {
  answerCiba,
  beginCiba,
  beginFapi,
  beginSigned,
  cibaGrant,
  fapiAgent,
  fapiFields,
  signCiba,
} from "../../support/ciba.ts";
import { assertionType } from "../../support/client_key.ts";
import { makeProof, proofKey } from "../../support/dpop.ts";
import { claimsOf, openKit } from "../../support/kit.ts";
import { itRefuses } from "../../support/refusals.ts";
import { needs } from "../../support/where_feature.ts";
import { refusedByProfile, refusedObjects } from "./rule_rows.ts";

describe("Signed backchannel requests (CIBA, section 7.1.1)", () => {
  it("C14 have their parameters inside, requested_expiry as a number or a string", async () => {
    for (const requested_expiry of [60, "60"]) {
      const { status, body } = await beginSigned(openKit(), { requested_expiry });
      assertEquals([status, body.expires_in], [200, 60]);
    }
  });

  itRefuses(refusedObjects);

  it("C15 are no client assertions", async () => {
    const kit = openKit({ clients: [fapiAgent] });
    const asserts = async (changes: JWTPayload) =>
      (await beginCiba(kit, {
        client_assertion_type: assertionType,
        client_assertion: await signCiba(kit, changes),
      }, {})).body;
    // Without `sub` it is no assertion; with it, it is none of these requests.
    assertEquals((await asserts({ sub: "demo-agent" })).error, undefined);
    assertEquals((await asserts({})).error, "invalid_client");
    assertEquals((await beginFapi(kit, { sub: "demo-agent" })).body.error, "invalid_request");
  });
});

describe("The profile fapi-2.0 (FAPI-CIBA, section 5.2.2)", () => {
  const par = needs("pushed authorization requests");
  const settings: Partial<LabConfig> = { profile: "fapi-2.0", clients: [fapiAgent] };

  it(
    "C20 C21 C22 takes a signed request with a binding_message, of a client with a key, and binds its tokens",
    par,
    async () => {
      const kit = openKit({ ...settings, acrValues: ["one"] });
      const { auth_req_id } = (await beginFapi(kit, { acr_values: "one" })).body;
      await answerCiba(kit);
      const DPoP = await makeProof(
        await proofKey(),
        "POST",
        `${kit.issuer}/oauth2/token`,
        { now: kit.clock.now },
      );
      const fields = { grant_type: cibaGrant, auth_req_id, ...await fapiFields(kit) };
      const { body } = await kit.token(fields, { DPoP });
      assertEquals([body.token_type, claimsOf(body.id_token).acr], ["DPoP", "one"]);
    },
  );

  it(
    "C21 takes authorization details in place of a binding_message: they tell requests apart",
    par,
    async () => {
      const authorizationDetails = { pay: { meaning: "Pay", members: {} } };
      const { status } = await beginFapi(openKit({ ...settings, authorizationDetails }), {
        binding_message: undefined,
        authorization_details: [{ type: "pay" }],
      });
      assertEquals(status, 200);
    },
  );

  itRefuses(refusedByProfile);
});
