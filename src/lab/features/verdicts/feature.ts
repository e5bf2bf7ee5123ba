import type { LabFeature } from "../../feature.ts";
import type { Finding } from "../../findings/finding.ts";
import { checkDrillSetting, type DrillSetting, markAcknowledged } from "./config.ts";

/** What drills of applications and of APIs need of a lab. */
export interface VerdictInternals {
  /** Returns the origins that a drill may visit, besides those on this machine. */
  drilledOrigins(): readonly string[];
  /** Returns findings with what is acknowledged of them today. */
  markAcknowledged<T extends Finding>(findings: readonly T[]): T[];
}

/** What a drill may reach, what it concludes, and which of its findings are known. */
export const verdicts: LabFeature<object, VerdictInternals> = {
  name: "verdicts",
  checkSettings: checkDrillSetting,
  open({ lab, parts }) {
    const setting = () => parts().config<DrillSetting>();
    return {
      internals: {
        drilledOrigins: () => setting().drillOrigins ?? [],
        markAcknowledged: (findings) =>
          markAcknowledged(findings, setting().acknowledged ?? [], lab().clock.now()),
      },
    };
  },
};
