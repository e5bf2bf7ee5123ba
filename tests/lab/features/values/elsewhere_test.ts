import { assertEquals, assertMatch } from "@std/assert";
import { describe } from "node:test";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { hallpass } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { authorizationUrlIn, flowCode, flowIssuer, redeemIn } from "../../../support/lab_flow.ts";
import { openTab } from "../../../support/lab_tab.ts";
import { type LineageCase, lineageIn } from "../../../support/lineage.ts";
import { testClient } from "../../../support/test_client.ts";

const it = itWith({
  inLab: () => hallpass(),
  inFlow: () => openLab({ issuer: flowIssuer }),
  withForm: () => hallpass({ dialect: { credentials: { code: { prefix: "form-", length: 30 } } } }),
});

const client = testClient();

describe("A value that a test chose", () => {
  it.withForm("comes before the form that a dialect gives to random ones", async (lab) => {
    lab.values({ code: ["chosen"] });
    assertEquals(await client.code(lab), "chosen");
    assertMatch(await client.code(lab), /^form-/);
  });

  it.inLab("is that of a minted code, for its client and state", async (lab) => {
    const minted = { kind: "code", user: "alice", client: "demo-spa" } as const;
    lab.values({ code: "abc", state: "s1" });
    assertEquals((await lab.mint({ ...minted, state: "s1" })).code, "abc");
    assertMatch((await lab.mint({ ...minted, state: "s2" })).code, /^[\w-]{43}$/);
  });

  it.inFlow("is hidden in the claims of a signed response, too", async (lab) => {
    lab.values({ code: "a-chosen-code" });
    await lab.authorize(authorizationUrlIn(lab, { response_mode: "query.jwt" }), { user: "alice" });
    const tab = await openTab(lab);
    const steps = Array.from({ length: 8 }, (_, at) => at + 1);
    const pages = steps.map((step) => tab.html(`/lab/flows/flow-1?step=${step}`));
    const shown = (await Promise.all(pages)).join("");
    assertEquals(shown.includes("a-chosen-code"), false);
    assertEquals(/c_hash|Authorization response/.test(shown), true);
  });
});

const cases: readonly LineageCase[] = [
  ["values that a later login took over", async (lab) => {
    lab.values({ accessToken: "A", refreshToken: "R" });
    await redeemIn(lab, await flowCode(lab));
    await lab.mint({ sub: "bob", client: "demo-spa", scope: "openid offline_access" });
  }, [
    "code: spent",
    "  access token: reissued",
    "  ID token: active",
    "  refresh token: reissued",
  ]],
  ["a code that a later login took over", async (lab) => {
    lab.values({ code: "C" });
    await flowCode(lab);
    await lab.mint({ kind: "code", user: "bob", client: "demo-spa" });
  }, ["code: reissued"]],
];

describe("The lineage of tokens", () => {
  for (const [what, play, tree] of cases) {
    it.inFlow(`shows ${what}`, async (lab) => {
      await play(lab);
      assertEquals(await lineageIn(lab), tree);
    });
  }
});
