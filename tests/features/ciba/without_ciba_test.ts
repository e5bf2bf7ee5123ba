import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { features } from "../../../src/server/features.ts";
import { memoryStore } from "../../../src/server/mod.ts";
import { agent, cibaGrant, openRequest, pollCiba } from "../../support/ciba.ts";
import { openStrictKit } from "../../support/kit.ts";

const name = "backchannel authentication";

describe("A server without backchannel authentication, on the store of one that had it", () => {
  it("redeems no auth_req_id, and shows no request", async () => {
    assert(features.some((each) => each.name === name));
    const store = memoryStore();
    const open = (grantTypes: string[], without?: string) =>
      openStrictKit({ store, grantTypes, clients: [agent({ grantTypes })] }, without);
    const whole = open([cibaGrant, "refresh_token"]);
    const without = open(["refresh_token"], name);
    const { begun } = await openRequest(whole, { scope: "openid" });
    const refused = await pollCiba(without, begun.auth_req_id);
    assertEquals(refused.body.error, "unsupported_grant_type");
    const [account, browser] = [`${without.issuer}/account`, without.browser()];
    await browser.signIn(await browser.open(account));
    assert(!(await browser.open(account)).html.includes("waiting-requests"));
  });
});
