import { ofTenant } from "../core/tenant_option.ts";
import type { DrillTools } from "../drill/drill_tools.ts";
import { createDrills, type Drills } from "../drill/drills.ts";
import type { DrilledLab } from "../drill/prepare_login.ts";
import type { LabParts } from "../handling/lab_parts.ts";

/** Creates what runs the drills of a lab, and emits an event for each of their steps. */
export function createLabDrills({ powers, events }: LabParts, labOf: () => DrilledLab): Drills {
  return createDrills(labOf, {
    origins: powers().drillOrigins ?? [],
    onProgress: ({ state, total, outcomes }) =>
      events.emitLabEvent({ type: "drill.advanced", state, done: outcomes.length, total }),
  });
}

/** Returns what a test calls. A tenant runs its own drills, with its own faults. */
export function exposeDrills(
  { run, runMcp }: Drills,
  tenants: { find(id: string): DrillTools },
): DrillTools {
  const own: DrillTools = { drill: run, drillMcp: runMcp };
  return {
    ...own,
    drillMcp: (connect, only, { tenant } = {}) =>
      ofTenant(tenant, own, tenants).drillMcp(connect, only),
  };
}
