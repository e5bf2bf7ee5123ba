import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { InteractionProgressRow } from "../../src/server/issuer/records/rows.ts";
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
const pending = { device: { id: "d" } } as Partial<PendingRequest> as PendingRequest;

async function begin() {
  const { context } = openKit().server;
  const interaction = await startInteraction(context, pending, browser);
  const find = async () => (await findInteraction(context, interaction.id, browser)).progress;
  return { context, interaction, find, rows: context.records.interactionProgress };
}

describe("The progress of an interaction", () => {
  it("has just begun if nothing was stored", async () => {
    const { interaction, find } = await begin();
    assertEquals([interaction.progress, await find()], [{ state: "begun" }, { state: "begun" }]);
  });

  /** The rows are those of the version of commit 12efe4c. */
  const states: Array<[progress: InteractionProgress, row: InteractionProgressRow]> = [
    [{ state: "begun" }, { mustSignIn: false }],
    [{ state: "switching" }, { mustSignIn: true }],
    [
      { state: "selected", sid: "s", before: "begun" },
      { chosen: "s", chosenBySignIn: false, mustSignIn: false },
    ],
    [
      { state: "signed-in", sid: "s", before: "begun" },
      { chosen: "s", chosenBySignIn: true, mustSignIn: false },
    ],
    [
      { state: "selected", sid: "s", before: "switching" },
      { chosen: "s", chosenBySignIn: false, mustSignIn: true },
    ],
    [
      { state: "signed-in", sid: "s", before: "switching" },
      { chosen: "s", chosenBySignIn: true, mustSignIn: true },
    ],
  ];
  for (const [progress, row] of states) {
    it(`is stored as ${JSON.stringify(row)}, as every version reads it`, async () => {
      const { context, interaction, find, rows } = await begin();
      await continueInteraction(context, interaction, progress);
      assertEquals([await rows.find(interaction.id), await find()], [row, progress]);
    });
  }
});
