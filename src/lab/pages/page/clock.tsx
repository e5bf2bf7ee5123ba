/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import { LabError } from "../../util/lab_error.ts";
import { LabForm } from "../parts/form.tsx";
import type { LabPageCall, LabPageRoute } from "./lab_page.ts";
import { formAt } from "./page_routes.ts";

const steps: ReadonlyArray<readonly [change: string, label: string]> = [
  ["+5m", "+5 min"],
  ["+1h", "+1 h"],
  ["+1d", "+1 day"],
];

/** The time of the lab; opened, the buttons that move it. A script lets it tick. */
export function clockMenu({ clock }: CoreLab, call: LabPageCall, back: string): VNode {
  const { frozen } = clock;
  const now = clock.now();
  const instant = new Date(now).toISOString();
  const [date, time] = [instant.slice(0, 10), instant.slice(11, 19)];
  return (
    <details class="clock" id="clock-menu">
      <summary>
        <span class="visually-hidden">Clock of the lab:</span>{" "}
        <time
          id="clock"
          dateTime={instant}
          data-now={now}
          data-frozen={frozen ? "true" : "false"}
        >
          <span class="date">{date}</span> <span class="time">{time}</span>
        </time>
      </summary>
      <LabForm page={call} action="/clock/move" back={back} class="menu" id="clock-form">
        <p class="help">
          The lab's clock, in UTC. Move it forward to make codes, tokens and sessions expire.
        </p>
        <div class="button-row">
          {steps.map(([change, label]) => clockButton(change, label))}
        </div>
        <div class="button-row">
          {frozen ? clockButton("run", "Run") : clockButton("pause", "Pause")}
          {clockButton("reset", "Reset")}
        </div>
      </LabForm>
    </details>
  );
}

export const clockPages: readonly LabPageRoute[] = [
  formAt("/clock/move", (lab, { form }) => changeClock(lab, form.get("change") ?? "")),
];

function clockButton(change: string, label: string): VNode {
  return <button type="submit" class="secondary small" name="change" value={change}>{label}
  </button>;
}

function changeClock({ clock }: CoreLab, change: string): void {
  if (change === "pause") return clock.freeze();
  if (change === "run") return clock.run();
  if (change === "reset") return clock.reset();
  const [, span] = /^\+(\d+[smhd])$/.exec(change) ?? [];
  if (span === undefined) throw new LabError("Choose pause, run, reset or a time such as +5m.");
  clock.advance(span as `${number}m`);
}
