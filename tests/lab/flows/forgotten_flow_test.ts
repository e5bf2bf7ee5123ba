import { assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { requireFlowSource } from "../../../src/lab/flows/flow_source.ts";

describe("A flow whose requests are forgotten", () => {
  it("is no longer recorded, and not one without a refusal that began in 1970", () => {
    const steps = [{ at: 0, what: "asked" as const, exchange: 1 }];
    const flow = { id: "flow-205", client: "app", steps, refreshes: 0, uses: 0 };
    const lab = { flows: () => [flow], exchanges: () => [] };
    const message = "flow-205 is no longer recorded: the lab keeps the newest 2,000 requests.";
    assertThrows(() => requireFlowSource(lab, "flow-205"), Error, message);
  });
});
