import { redirectResponse } from "../../../server/http/response.ts";
import { streamEvents } from "../../control/record_operations.ts";
import { featureInterfaces } from "../../feature_interfaces.ts";
import type { Lab } from "../../lab.ts";
import { placeEntries } from "../../util/lists.ts";
import { createApiPages } from "../api/api_pages.tsx";
import { clientPages } from "../directory/client_pages.tsx";
import { setupPages } from "../directory/setup_pages.tsx";
import { userPages } from "../directory/user_pages.tsx";
import { flowPages } from "../flows/flow_pages.tsx";
import { clockPages } from "../page/clock.tsx";
import type { LabArea } from "../page/feature_interface.ts";
import { labFilePages } from "../page/lab_files.ts";
import type { LabPageRoute, ShownArea } from "../page/lab_page.ts";
import { providerPages } from "../providers/provider_pages.tsx";
import { rulePages } from "../rules/rule_pages.tsx";
import { tokenPages } from "../tokens/token_pages.tsx";
import { operations } from "./operation_table.ts";
import { tokenDoorPages } from "./token_door.tsx";

const coreAreas: ReadonlyArray<LabArea<Lab>> = [
  { name: "home", label: "Home" },
  { name: "flows", label: "Flows", count: (lab) => lab.flows().length },
  { name: "tokens", label: "Tokens" },
  { name: "setup", label: "Setup" },
];

const areas = placeEntries(coreAreas, featureInterfaces.flatMap(({ area = [] }) => area));

/** Every page of the lab, and every form. Each area adds its own. */
export const labPages: ReadonlyArray<LabPageRoute<Lab>> = [
  // `/lab` leads to the home page.
  ...["", "/"].map((path): LabPageRoute => ({
    method: "GET",
    path,
    handle: (_lab, { homeUrl }) => redirectResponse(homeUrl),
  })),
  ...labFilePages,
  ...tokenDoorPages,
  // Programs use `/lab/events`, which never takes the cookie of a browser.
  { method: "GET", path: "/live", handle: (lab) => streamEvents(lab) },
  ...clockPages,
  ...flowPages,
  ...tokenPages,
  ...setupPages,
  ...clientPages,
  ...userPages,
  ...featureInterfaces.flatMap(({ pages = [] }) => pages),
  ...rulePages,
  ...providerPages,
  ...createApiPages(operations, featureInterfaces.flatMap(({ groups = [] }) => groups)),
];

/** Returns the entries of the top bar, with how much there is to see, or without. */
export function shownAreas(lab: Lab, hasCounts: boolean): ShownArea[] {
  return areas.map(({ name, label, count }) => ({
    name,
    label,
    count: hasCounts ? count?.(lab) : undefined,
  }));
}
