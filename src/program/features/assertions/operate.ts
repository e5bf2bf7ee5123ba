import type { Settings } from "../../../server/config/settings.ts";
import { assertionIssuers } from "../../../server/features/assertions/config.ts";
import type { LeniencySwitch } from "../../operate/leniency.ts";

/** Lists the issuers of workloads whose tokens may be used again. */
export function ofWorkloads(settings: Settings): LeniencySwitch[] {
  return [...assertionIssuers.of(settings).workloadIssuers.values()]
    .map(({ name, reusable = false }) => ({
      setting: `workloadIssuers ${name}: reusable`,
      isOn: reusable,
      effect: "accepts a token again and again until it expires, also from a thief",
      see: "RFC 7523, section 3",
    }));
}
