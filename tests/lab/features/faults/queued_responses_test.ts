import { assertEquals, assertThrows } from "@std/assert";
import { describe } from "node:test";
import { hallpass, LabError, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { testClient } from "../../../support/test_client.ts";

const it = itWith({ inLab: () => hallpass() });
const client = testClient();
const redeem = async (lab: TestLab) => await client.redeem(lab, await client.code(lab));

describe("Queued responses", () => {
  it.inLab("are sent once, in order, in place of the server's", async (lab) => {
    const { access_token } = await lab.mint({ sub: "alice", scope: "openid" });
    lab.next("userinfo", { status: 503, body: { error: "down" } });
    lab.next("userinfo", { body: "hello", headers: { "X-Test": "yes" } });
    const [one, two, three] = [
      await client.userinfo(lab, access_token),
      await client.userinfo(lab, access_token),
      await client.userinfo(lab, access_token),
    ];
    assertEquals([one.status, one.body as unknown], [503, { error: "down" }]);
    assertEquals([two.status, two.text, two.headers.get("X-Test")], [200, "hello", "yes"]);
    assertEquals(three.body.sub, "alice");
  });

  it.inLab("have an error as their body if they have none", async (lab) => {
    lab.next("token", { status: 400, times: 2 });
    const response = await redeem(lab);
    assertEquals([response.status, response.body.error], [400, "invalid_request"]);
    assertEquals((await redeem(lab)).status, 400);
    assertEquals((await redeem(lab)).status, 200);
  });

  it.inLab("are bound to a client", async (lab) => {
    const queued = lab.next("token", { status: 500, client: "demo-web" });
    assertEquals([(await redeem(lab)).status, queued.fired], [200, 0]);
    lab.faults.remove(queued.id);
  });

  for (
    const [what, at, response, message] of [
      ["an unknown place", "userinfos", {}, "Choose one of: authorize, token, userinfo"],
      ["an unknown member", "token", { stats: 1 }, "stats"],
      ["an impossible status", "token", { status: 99 }, "between 200 and 599"],
      ["headers that are no strings", "token", { headers: { a: 1 } }, "object of strings"],
    ] as const
  ) {
    it.inLab(`are refused with ${what}`, async (lab) => {
      assertThrows(() => lab.next(at as never, response as never), LabError, message);
    });
  }
});
