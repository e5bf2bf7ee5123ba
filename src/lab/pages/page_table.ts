import { clockPages } from "./clock/clock_pages.ts";
import { drillPages } from "./drill/drill_pages.ts";
import { flowPages } from "./flows/flow_pages.ts";
import { labFilePages } from "./lab_file_pages.ts";
import type { LabPageRoute } from "./lab_page.ts";
import { livePages } from "./live_events.ts";
import { reportPages } from "./report/report_pages.ts";
import { tokenDoorPages } from "./token_door.tsx";

/** Every page of the lab, and every form. Each area adds its own. */
export const labPages: readonly LabPageRoute[] = [
  ...labFilePages,
  ...tokenDoorPages,
  ...livePages,
  ...clockPages,
  ...flowPages,
  ...reportPages,
  ...drillPages,
];
