import { assert } from "@std/assert";
import { describe, it } from "node:test";
import { renderToString } from "preact-render-to-string";
import { noResult } from "../../../../src/lab/features/drill/drill_result.ts";
import { drillResult } from "../../../../src/lab/features/drill/pages/drill_result_parts.tsx";
import { unseenBy } from "../../../../src/lab/features/verdicts/requirements.ts";
import type { LabPageCall } from "../../../../src/lab/pages/page/lab_page.ts";

describe("What no drill sees", () => {
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
