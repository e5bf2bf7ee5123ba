/** @jsxImportSource preact */
import type { VNode } from "preact";
import { ActionForm, type FormOrigin } from "../../../pages/parts/form.tsx";
import type { Fault } from "../fault.ts";

/** How many faults the bar names. */
const maxNamed = 3;

/** What is on, across every page, until it is turned off: a lab that misbehaves says so. */
export function activeBar(faults: readonly Fault[], page: FormOrigin, back: string): VNode {
  const on = faults.filter((fault) => !isSpent(fault));
  return (
    <div id="on-now" data-live>
      {on.length > 0 && (
        <div class="notice on-now">
          <a href={`${page.base}/lab/faults#active-faults`}>
            On now: {on.slice(0, maxNamed).map(({ name }) => name).join(", ")}
            {on.length > maxNamed && ` and ${on.length - maxNamed} more`}
          </a>{" "}
          <ActionForm page={page} action="/faults/switch" back={back} fields={{ clear: "all" }}>
            Turn off
          </ActionForm>
        </div>
      )}
    </div>
  );
}

/** Whether a fault can no longer fire. */
export function isSpent({ times, nth, fired }: Fault): boolean {
  const limit = times ?? (nth === undefined ? Infinity : 1);
  return fired >= limit;
}
