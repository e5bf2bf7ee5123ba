import { ofTenant } from "../../core/tenant_config.ts";
import type { LabFeature } from "../../feature.ts";
import type { FaultTools } from "../faults/fault_tools.ts";
import { faults } from "../faults/feature.ts";
import type { DrillInternals, DrillTools } from "./drill_tools.ts";
import { createDrills } from "./drills.ts";
import { checkDrillSetting } from "./lab_server.ts";

/** Repeats the login of an application, each time with something that is wrong or unusual. */
export const drill: LabFeature<DrillTools, DrillInternals, FaultTools> = {
  name: "drill",
  needs: [faults],
  checkSettings: checkDrillSetting,
  open({ lab, parts }) {
    const drilledOrigins = () => parts().config().drillOrigins ?? [];
    const drills = createDrills(lab, {
      origins: drilledOrigins,
      onProgress: ({ state, total, outcomes }) =>
        parts().events.emitLabEvent({
          ...{ type: "drill.advanced", state, total },
          done: outcomes.length,
        }),
    });
    const own: DrillTools = { drill: drills.run, drillMcp: drills.runMcp };
    return {
      tools: {
        ...own,
        // A tenant runs its own drills, with its own faults.
        drillMcp: (connect, only, { tenant } = {}) =>
          ofTenant(tenant, own, lab().tenants).drillMcp(connect, only),
      },
      internals: { drillProgress: drills.progress, drilledOrigins },
      state: { clear: drills.clear },
    };
  },
};
