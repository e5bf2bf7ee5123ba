import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createSampleFlow } from "../../../../src/program/features/warm_up/operate/sample_flow.ts";
import { makeFlows } from "../../../../src/program/features/warm_up/operate/warm_up.ts";

/** A time in which only pauses and flows pass. */
function openTime(flowTime: number) {
  const pauses: number[] = [];
  let time = 0;
  const pause = async (ms: number) => {
    pauses.push(ms);
    time += ms;
  };
  return { pauses, timing: { now: () => time, pause }, passFlow: () => void (time += flowTime) };
}

describe("The warm-up of a server", () => {
  for (const alg of ["ES256", "EdDSA"] as const) {
    it(`makes flows that lead to tokens, again and again, with ${alg}`, async () => {
      const flow = await createSampleFlow(alg);
      for (let count = 0; count < 3; count++) {
        const { status, body } = await flow();
        assertEquals([status, Object.keys(JSON.parse(`${body}`)).includes("id_token")], [
          200,
          true,
        ]);
      }
    });
  }

  it("waits at first, and rests after each flow for as long as it took", async () => {
    const { pauses, timing, passFlow } = openTime(7);
    let flows = 0;
    const flow = async () => {
      flows++;
      passFlow();
    };
    await makeFlows(async () => flow, timing);
    assertEquals(flows, 300);
    assertEquals(pauses, [2000, ...Array(300).fill(7)]);
  });

  it("ends without an error when a flow fails", async () => {
    const { pauses, timing } = openTime(0);
    await makeFlows(async () => () => Promise.reject(new Error("no")), timing);
    assertEquals(pauses, [2000]);
  });
});
