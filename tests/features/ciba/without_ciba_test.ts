import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { agent, cibaGrant, openRequest, pollCiba } from "../../support/ciba.ts";
import { openWithAndWithout } from "../../support/without_feature.ts";

describe("A server without backchannel authentication, on the store of one that had it", () => {
  it("redeems no auth_req_id, and shows no request", async () => {
    const [withGrant, withoutGrant] = [[cibaGrant, "refresh_token"], ["refresh_token"]].map(
      (grantTypes) => ({ grantTypes, clients: [agent({ grantTypes })] }),
    );
    const { whole, without } = openWithAndWithout(
      "backchannel authentication",
      withoutGrant,
      withGrant,
    );
    const { begun } = await openRequest(whole, { scope: "openid" });
    const refused = await pollCiba(without, begun.auth_req_id);
    assertEquals(refused.body.error, "unsupported_grant_type");
    const [account, browser] = [`${without.issuer}/account`, without.browser()];
    await browser.signIn(await browser.open(account));
    assert(!(await browser.open(account)).html.includes("waiting-requests"));
  });
});
