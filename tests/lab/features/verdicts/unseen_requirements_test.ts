import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { requirements, unseenBy } from "../../../../src/lab/features/verdicts/requirements.ts";

describe("What no drill sees", () => {
  it("is a sentence for each requirement that is never visible, or by scripts alone", () => {
    const hidden = requirements.filter(({ state }) => state === "never" || state === "scripts");
    const sides = hidden.map(({ side }) => side);
    const count = (other: string) => sides.filter((side) => side !== other).length;
    assertEquals(unseenBy("application").length, count("api"));
    assertEquals(unseenBy("api").length, count("application"));
  });
});
