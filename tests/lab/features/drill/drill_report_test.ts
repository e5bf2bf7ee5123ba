import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { drillVariants } from "../../../../src/lab/features/drill/variants/variants.ts";
import {
  type FaultName,
  hallpass,
  LabError,
  type TestLab,
} from "../../../../src/lab/testing/mod.ts";
import { challenge } from "../../../support/flow_kit.ts";
import { openHurriedLab } from "../../../support/hurried_lab.ts";
import { itWith } from "../../../support/it_with.ts";
import { authorizationUrl, freshTokens, freshUrl, login } from "../../../support/login.ts";
import { assertClean } from "../../../support/reported.ts";
import { testClient } from "../../../support/test_client.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({
  inLab: () => openHurriedLab(),
  inLabWithLogout: { ...needs("logout"), open: () => openHurriedLab() },
});

const client = testClient();
const redeemCode = client.redeem;

describe("A drill with an ID token about someone else", () => {
  const only: FaultName[] = ["id_token.wrong_sub"];

  /** Signs in without comparing the `sub` of userinfo with that of the ID token. */
  async function careless(lab: TestLab, callsUserinfo: boolean): Promise<void> {
    const { access_token } = await freshTokens(lab);
    if (callsUserinfo) await client.userinfo(lab, access_token);
  }

  it.inLab("catches an application that does not compare it with userinfo", async (lab) => {
    const { accepted } = await lab.drill(() => careless(lab, true), only);
    assertEquals(accepted.map(({ fault, see }) => [fault, see]), [
      ["id_token.wrong_sub", "OpenID Connect Core, section 5.3.2"],
    ]);
  });

  it.inLab("does not meet an application that never calls userinfo", async (lab) => {
    assertEquals((await lab.drill(() => careless(lab, false), only)).unmet, only);
  });

  it.inLab("is refused by a careful application", async (lab) => {
    assertEquals((await lab.drill(() => login(lab), only)).refused, only);
  });
});

describe("A drill", () => {
  it("finds nothing wrong with a careful client, and the report card is clean after it", async () => {
    await using lab = await hallpass({ alg: "EdDSA" });
    const { accepted, wronglyRefused, unmet } = await lab.drill(() => login(lab));
    assertEquals([accepted, wronglyRefused], [[], []]);
    assertClean(lab);
    // This client signs no assertion, has one redirect URI, and asks for no signed responses; it
    // never refreshes, and never signs out. It has no secret, no DPoP and no max_age. It does not register itself, and signs in once at a time.
    const unused =
      /^(register|jarm|refresh|logout|logout_token)\.|^userinfo\.(wrong_iss|wrong_aud|alg_none|foreign_signature)$|^token\.(held|bearer_for_dpop)$|^id_token\.(old_auth_time|hs256_with_secret)$|^metadata\.foreign_token_endpoint$|^callback\.other_redirect_uri$/;
    assertEquals(
      unmet,
      drillVariants.map(({ fault }) => fault).filter((each) => unused.test(each)),
    );
  });

  it.inLabWithLogout("says that the attacks on a nonce need one, if the client sends none", async (lab) => {
    const withoutNonce = async () => {
      const url = authorizationUrl(lab, { scope: "openid", state: crypto.randomUUID() });
      const { code } = await lab.authorize(url, { user: "alice" });
      assertEquals((await redeemCode(lab, code ?? "")).status, 200);
    };
    const faults: FaultName[] = [
      "id_token.wrong_nonce",
      "id_token.without_nonce",
      "logout.without_state",
    ];
    const { outcomes } = await lab.drill(withoutNonce, faults);
    const reason = "The client sends no nonce, so the attack cannot be tested.";
    assertEquals(outcomes.map((each) => [each.outcome, each.reason]), [
      ["unmet", reason],
      ["unmet", reason],
      ["unmet", "The application did not request what the fault changes."],
    ]);
    const junit = await (await lab.fetch(`${lab.issuer}/lab/drill?format=junit`)).text();
    assertStringIncludes(junit, reason);
  });

  it.inLab("names the variants that a careless client accepts", async (lab) => {
    const careless = async () => {
      const { code } = await lab.authorize(freshUrl(lab, { code_challenge: challenge }), {
        user: "alice",
      });
      assertEquals((await redeemCode(lab, code!)).status, 200);
    };
    const { accepted, unmet } = await lab.drill(careless, [
      "callback.wrong_state",
      "id_token.expired",
      "metadata.wrong_issuer",
    ]);
    assertEquals(accepted.map(({ fault }) => fault), ["callback.wrong_state", "id_token.expired"]);
    assertEquals(unmet, ["metadata.wrong_issuer"]);
  });

  it.inLab("rejects a login that always fails, and an unknown variant", async (lab) => {
    const attempt = () => lab.drill(() => Promise.reject(new Error("no button")));
    await assertRejects(attempt, LabError, "no button");
    await assertRejects(
      () => lab.drill(() => login(lab), ["callback.odd" as FaultName]),
      LabError,
      "There is no login variant 'callback.odd'. Did you mean 'callback.denied'?",
    );
  });
});
