import { assertEquals } from "@std/assert";
import { describe } from "node:test";
import type { FaultName } from "../../../../src/lab/features/faults/catalogue.ts";
import { agent, openRequest, pingToken, receivePings, withPings } from "../../../support/ciba.ts";
import { itWith } from "../../../support/it_with.ts";
import { openLabKit } from "../../../support/kit.ts";

const it = itWith({ inLab: openLabKit });

describe("Faults of backchannel authentication", () => {
  const errors: Record<string, string> = {
    "ciba.never": "authorization_pending",
    "ciba.slow_down": "slow_down",
    "ciba.denied": "access_denied",
    "ciba.expired": "expired_token",
  };
  for (const [name, error] of Object.entries(errors)) {
    it.inLab(`${name}: each poll gets ${error}, and the auth_req_id remains usable`, async (kit) => {
      const { pollError } = await openRequest(kit);
      await kit.lab.approve("alice");
      const fault = kit.lab.fault(name as FaultName);
      assertEquals([await pollError(), await pollError()], [error, error]);
      fault.remove();
      assertEquals(await pollError(), undefined);
    });
  }

  it.inLab("ciba.late: the decision is known one poll later", async (kit) => {
    kit.lab.fault("ciba.late");
    const { pollError } = await openRequest(kit);
    assertEquals(await pollError(), "authorization_pending");
    await kit.lab.approve("alice");
    assertEquals([await pollError(), await pollError()], ["authorization_pending", undefined]);
  });

  it.inLab("ciba.wrong_auth_req_id: nobody gets tokens for it", async (kit) => {
    kit.lab.fault("ciba.wrong_auth_req_id");
    const { pollError } = await openRequest(kit);
    await kit.lab.approve("alice");
    assertEquals(await pollError(), "invalid_grant");
  });

  const right = { token: `Bearer ${pingToken.client_notification_token}`, isRight: true };
  const faulty: Record<string, Array<{ token: string | undefined; isRight: boolean }>> = {
    "ping.without_token": [{ ...right, token: undefined }],
    "ping.wrong_auth_req_id": [{ ...right, isRight: false }],
    "ping.twice": [right, right],
  };
  for (const [name, expected] of Object.entries(faulty)) {
    it(`${name}: once, for its client`, async () => {
      const { pings, fetch } = receivePings();
      const kit = openLabKit({ clients: [agent(withPings)], fetch });
      kit.lab.fault(name as FaultName, { client: "other" });
      const fault = kit.lab.fault(name as FaultName, { client: "demo-agent", times: 1 });
      const run = async () => {
        const { begun } = await openRequest(kit, pingToken);
        await kit.lab.approve("alice");
        await kit.server.context.background.idle();
        return pings.splice(0).map(({ headers, body = "" }) => ({
          token: headers.Authorization,
          isRight: JSON.parse(body).auth_req_id === begun.auth_req_id,
        }));
      };
      assertEquals(await run(), expected);
      assertEquals(await run(), [right]);
      assertEquals([fault.fired, kit.lab.faults.list()[0]?.fired], [1, 0]);
    });
  }
});
