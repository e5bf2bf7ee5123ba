import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { features } from "../../../src/server/features.ts";
import { memoryStore } from "../../../src/server/mod.ts";
import { agent, beginCiba, cibaGrant, pollCiba } from "../../support/ciba.ts";
import { openStrictKit } from "../../support/kit.ts";

const name = "backchannel authentication";

describe("A server without backchannel authentication, on the store of one that had it", () => {
  it("redeems no auth_req_id, and shows no request", async () => {
    const store = memoryStore();
    const whole = openStrictKit({
      store,
      grantTypes: [cibaGrant, "refresh_token"],
      clients: [agent()],
    });
    const without = openStrictKit({
      store,
      grantTypes: ["refresh_token"],
      clients: [agent({ grantTypes: ["refresh_token"] })],
    }, name);
    assert(features.some((each) => each.name === name));
    const { body } = await beginCiba(whole, { scope: "openid" });
    const refused = await pollCiba(without, body.auth_req_id);
    assertEquals(refused.body.error, "unsupported_grant_type");
    const browser = without.browser();
    await browser.signIn(await browser.open(`${without.issuer}/account`));
    const page = await browser.open(`${without.issuer}/account`);
    assert(!page.html.includes("waiting-requests"));
  });
});
