import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { FaultName } from "../../../../src/lab/features/faults/catalogue.ts";
import type { OutboundRequest } from "../../../../src/server/http/outbound_fetch.ts";
import { agent, beginCiba, pollCiba } from "../../../support/ciba.ts";
import { openLabKit } from "../../../support/kit.ts";

const token = "8d67dc78-7faa-4d41-aabd-67707b374255";

describe("Faults of backchannel authentication", () => {
  const errors: Record<string, string> = {
    "ciba.never": "authorization_pending",
    "ciba.slow_down": "slow_down",
    "ciba.denied": "access_denied",
    "ciba.expired": "expired_token",
  };
  for (const [name, error] of Object.entries(errors)) {
    it(`${name}: each poll gets ${error}, and the auth_req_id remains usable`, async () => {
      const kit = openLabKit();
      const { body } = await beginCiba(kit);
      await kit.lab.approve("alice");
      const fault = kit.lab.fault(name as FaultName);
      const poll = async () => (await pollCiba(kit, body.auth_req_id)).body.error;
      assertEquals([await poll(), await poll()], [error, error]);
      fault.remove();
      assertEquals(await poll(), undefined);
    });
  }

  it("ciba.late: the decision is known one poll later", async () => {
    const kit = openLabKit();
    kit.lab.fault("ciba.late");
    const { body } = await beginCiba(kit);
    const poll = async () => (await pollCiba(kit, body.auth_req_id)).body.error;
    assertEquals(await poll(), "authorization_pending");
    await kit.lab.approve("alice");
    assertEquals([await poll(), await poll()], ["authorization_pending", undefined]);
  });

  it("ciba.wrong_auth_req_id: nobody gets tokens for it", async () => {
    const kit = openLabKit();
    kit.lab.fault("ciba.wrong_auth_req_id");
    const { body } = await beginCiba(kit);
    await kit.lab.approve("alice");
    assertEquals((await pollCiba(kit, body.auth_req_id)).body.error, "invalid_grant");
  });

  const right = { token: `Bearer ${token}`, isRight: true };
  const pings: Record<string, Array<{ token: string | undefined; isRight: boolean }>> = {
    "ping.without_token": [{ token: undefined, isRight: true }],
    "ping.wrong_auth_req_id": [{ token: `Bearer ${token}`, isRight: false }],
    "ping.twice": [right, right],
  };
  for (const [name, expected] of Object.entries(pings)) {
    it(`${name}: once, for its client`, async () => {
      const sent: OutboundRequest[] = [];
      const ping = (id: string) =>
        agent({
          id,
          backchannelDeliveryMode: "ping",
          backchannelNotificationEndpoint: `https://${id}.example/ping`,
        });
      const kit = openLabKit({
        clients: [ping("demo-agent")],
        fetch: (_, init) => {
          sent.push(init);
          return Promise.resolve(new Response(null, { status: 204 }));
        },
      });
      kit.lab.fault(name as FaultName, { client: "other" });
      const fault = kit.lab.fault(name as FaultName, { client: "demo-agent", times: 1 });
      const run = async () => {
        sent.length = 0;
        const { body } = await beginCiba(kit, { client_notification_token: token });
        await kit.lab.approve("alice");
        await kit.server.context.background.idle();
        return sent.map(({ headers, body: text = "" }) => ({
          token: headers.Authorization,
          isRight: JSON.parse(text).auth_req_id === body.auth_req_id,
        }));
      };
      assertEquals(await run(), expected);
      assertEquals(await run(), [right]);
      assertEquals([fault.fired, kit.lab.faults.list()[0]?.fired], [1, 0]);
    });
  }
});
