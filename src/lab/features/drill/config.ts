import type { ReportProblem } from "../../../server/config/problems.ts";
import { isWebOrigin } from "../../../server/util/addresses/uri.ts";
import type { SettingsUnderCheck } from "../../lab_server/check_lab_settings.ts";

/** What a drill may reach. */
export interface DrillSetting {
  /**
   * The origins of applications that a drill may visit, besides those on this machine:
   * `"http://app:3000"`.
   *
   * @default none
   * @forTests it drills applications
   * @notOverHttp what a lab may reach is set at its start
   * @inherited by tenants
   */
  drillOrigins?: readonly string[] | undefined;
}

/** Reports what is no origin. */
export function checkDrillSetting(
  { drillOrigins = [] }: SettingsUnderCheck & DrillSetting,
  report: ReportProblem,
): void {
  for (const origin of drillOrigins.filter((each) => !isWebOrigin(each))) {
    report("drillOrigins", `contains '${origin}'; an origin is like http://app:3000`);
  }
}
