import { assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import { hallpass, LabError } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { freshTokens } from "../../../support/login.ts";

const it = itWith({ inLab: () => hallpass() });

describe("The consents of a lab", () => {
  it.inLab("are what users allowed, and end with their tokens", async (lab) => {
    const { access_token } = await freshTokens(lab);
    const [consent, ...others] = await lab.consents({ user: "alice" });
    assertEquals([consent?.id, others.length], ["alice:demo-spa", 0]);
    await consent?.withdraw();
    assertEquals(await lab.consents(), []);
    const headers = { Authorization: `Bearer ${access_token}` };
    assertEquals((await lab.fetch(`${lab.issuer}/oauth2/userinfo`, { headers })).status, 401);
  });

  it.inLab("are those of users that exist", async (lab) => {
    await assertRejects(() => lab.consents({ user: "eve" }), LabError, "no user 'eve'");
  });
});
