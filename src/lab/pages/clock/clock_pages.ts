import type { CoreLab } from "../../core/core_lab.ts";
import { LabError } from "../../util/lab_error.ts";
import type { LabPageRoute } from "../page/lab_page.ts";
import { seePreviousPage } from "../page/page_response.ts";

/** The form of the clock, which is on every page. */
export const clockPages: readonly LabPageRoute[] = [{
  method: "POST",
  path: "/clock/move",
  handle(lab, call) {
    changeClock(lab, call.form.get("change") ?? "");
    return seePreviousPage(call);
  },
}];

function changeClock({ clock }: CoreLab, change: string): void {
  if (change === "pause") return clock.freeze();
  if (change === "run") return clock.run();
  if (change === "reset") return clock.reset();
  const [, span] = /^\+(\d+[smhd])$/.exec(change) ?? [];
  if (span === undefined) throw new LabError("Choose pause, run, reset or a time such as +5m.");
  clock.advance(span as `${number}m`);
}
