import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { renderToString } from "preact-render-to-string";
import { noResult } from "../../../../src/lab/features/drill/drill_result.ts";
import { drillResult } from "../../../../src/lab/features/drill/pages/drill_result_parts.tsx";
import { requirements, unseenBy } from "../../../../src/lab/features/verdicts/requirements.ts";
import type { LabPageCall } from "../../../../src/lab/pages/page/lab_page.ts";

describe("What no drill sees", () => {
  it("is a sentence for each requirement that is never visible, or by scripts alone", () => {
    const hidden = requirements.filter(({ state }) => state === "never" || state === "scripts");
    const sides = hidden.map(({ side }) => side);
    const count = (other: string) => sides.filter((side) => side !== other).length;
    assertEquals(unseenBy("application").length, count("api"));
    assertEquals(unseenBy("api").length, count("application"));
  });

  it("is one folded paragraph on the page of a drill, whatever the drill found", () => {
    const call = { base: "" } as LabPageCall;
    const page = (state: "finished" | "running") =>
      renderToString(drillResult(call, { ...noResult, state, total: 1 })!);
    const count = unseenBy("application").length;
    assert(page("finished").includes(`${count} requirements`));
    assert(page("finished").includes("How long a session lasts: that takes hours."));
    assert(!page("running").includes("How long a session lasts"));
  });
});
