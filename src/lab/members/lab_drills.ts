import type { Lab } from "../control/lab.ts";
import { createDrills, type Drills } from "../drill/drills.ts";
import type { LabParts } from "../handling/lab_parts.ts";

/** Creates what runs the drills of a lab, and emits an event for each of their steps. */
export function createLabDrills({ powers, events }: LabParts, labOf: () => Lab): Drills {
  return createDrills(labOf, {
    origins: powers().drillOrigins ?? [],
    onProgress: ({ state, total, outcomes }) =>
      events.emitLabEvent({ type: "drill.advanced", state, done: outcomes.length, total }),
  });
}

/** Returns what a test calls. A tenant runs its own drills, with its own faults. */
export function exposeDrills(
  { tenants }: LabParts,
  drills: Drills,
): Pick<Lab, "drill" | "drillMcp" | "drillProgress"> {
  return {
    drill: drills.run,
    drillMcp: (connect, only, { tenant } = {}) =>
      tenant === undefined
        ? drills.runMcp(connect, only)
        : tenants.find(tenant).drillMcp(connect, only),
    drillProgress: drills.progress,
  };
}
