import { redirectResponse } from "../../../server/http/response.ts";
import { streamEvents } from "../../control/stream_events.ts";
import { featureInterfaces } from "../../feature_interfaces.ts";
import type { Lab } from "../../lab.ts";
import { createApiPages } from "../api/api_pages.tsx";
import { clockPages } from "../clock/clock_pages.ts";
import { clientPages } from "../directory/client_pages.tsx";
import { setupPages } from "../directory/setup_pages.tsx";
import { userPages } from "../directory/user_pages.tsx";
import { flowPages } from "../flows/flow_pages.ts";
import type { LabPageRoute } from "../page/lab_page.ts";
import { providerPages } from "../providers/provider_pages.tsx";
import { rulePages } from "../rules/rule_pages.tsx";
import { tokenPages } from "../tokens/token_pages.tsx";
import { labFilePages } from "./lab_file_pages.ts";
import { operations } from "./operation_table.ts";
import { tokenDoorPages } from "./token_door.tsx";

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
