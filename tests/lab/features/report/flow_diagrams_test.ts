import { assertEquals, assertThrows } from "@std/assert";
import { describe } from "node:test";
import type { Lab } from "../../../../src/lab/lab.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { LabError } from "../../../../src/lab/util/lab_error.ts";
import { itWith } from "../../../support/it_with.ts";
import { flowCode, flowIssuer, redeemIn } from "../../../support/lab_flow.ts";

const it = itWith({ inLab: () => openLab({ issuer: flowIssuer }) });

/** A client that sends one state with every request. */
async function reuseState(lab: Lab, times: number): Promise<void> {
  for (let count = 0; count < times; count++) await redeemIn(lab, await flowCode(lab));
}

describe("The message of a failed assertClean", () => {
  it.inLab("draws each flow in which a rule was broken", async (lab) => {
    await reuseState(lab, 2);
    const { message } = assertThrows(() => lab.assertClean(), LabError);
    const titles = message.split("\n").filter((line) => line.startsWith("flow-"));
    assertEquals(titles, [
      "flow-1 · demo-spa · Tokens issued",
      "flow-2 · demo-spa · Tokens issued",
    ]);
  });

  it.inLab("draws no more than three", async (lab) => {
    await reuseState(lab, 5);
    const { message } = assertThrows(() => lab.assertClean(), LabError);
    assertEquals(message.split("\n").at(-1), "… and 2 more flows");
  });
});
