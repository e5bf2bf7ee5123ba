/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type FormOrigin, LabForm } from "./lab_form.tsx";

/** The clock of the lab, as a page shows it. */
export interface ShownClock {
  /** The time, in milliseconds since the epoch. */
  now: number;
  frozen: boolean;
}

interface ClockMenuProps {
  page: FormOrigin;
  clock: ShownClock;
  /** The path of the page to return to. */
  here: string;
}

const steps: ReadonlyArray<readonly [change: string, label: string]> = [
  ["+5m", "+5 min"],
  ["+1h", "+1 h"],
  ["+1d", "+1 day"],
];

/** The time of the lab; opened, the buttons that move it. A script lets it tick. */
export function ClockMenu({ page, clock, here }: ClockMenuProps): VNode {
  const { now, frozen } = clock;
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
      <LabForm page={page} action="/clock/move" back={here} class="menu" id="clock-form">
        <p>
          The lab's clock, in UTC. Move it forward to make codes, tokens and sessions expire.
        </p>
        <div class="button-row">
          {steps.map(([change, label]) => <ClockButton change={change} label={label} />)}
        </div>
        <div class="button-row">
          <ClockButton change={frozen ? "run" : "pause"} label={frozen ? "Run" : "Pause"} />
          <ClockButton change="reset" label="Reset" />
        </div>
      </LabForm>
    </details>
  );
}

function ClockButton({ change, label }: { change: string; label: string }): VNode {
  return <button type="submit" class="secondary small" name="change" value={change}>{label}
  </button>;
}
