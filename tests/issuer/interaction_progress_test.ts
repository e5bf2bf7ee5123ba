import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  continueInteraction,
  findInteraction,
  startInteraction,
} from "../../src/server/issuer/requests/interactions.ts";
import type { Browser } from "../../src/server/issuer/sessions/browsers.ts";
import type { InteractionProgress } from "../../src/server/protocol/next_step.ts";
import type { PendingRequest } from "../../src/server/protocol/pending_request.ts";
import { openKit } from "../support/kit.ts";

const browser = { hash: "h" } as Partial<Browser> as Browser;
const pending = { requestedBy: { clientId: "app" }, device: { id: "d" } } as Partial<
  PendingRequest
> as PendingRequest;

async function begin() {
  const { context } = openKit().server;
  const interaction = await startInteraction(context, pending, browser);
  const find = async () => (await findInteraction(context, interaction.id, browser)).progress;
  return { context, interaction, find };
}

describe("The progress of an interaction", () => {
  it("has just begun if nothing was stored", async () => {
    const { interaction, find } = await begin();
    assertEquals([interaction.progress, await find()], [{ state: "begun" }, { state: "begun" }]);
  });

  const states: InteractionProgress[] = [
    { state: "begun" },
    { state: "switching" },
    { state: "selected", sid: "s", before: "begun" },
    { state: "signed-in", sid: "s", before: "begun" },
    { state: "selected", sid: "s", before: "switching" },
    { state: "signed-in", sid: "s", before: "switching" },
  ];
  for (const progress of states) {
    it(`is found as it was stored: ${JSON.stringify(progress)}`, async () => {
      const { context, interaction, find } = await begin();
      await continueInteraction(context, interaction, progress);
      assertEquals(await find(), progress);
    });
  }
});
