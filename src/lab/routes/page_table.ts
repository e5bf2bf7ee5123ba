import { redirectResponse } from "../../server/http/response.ts";
import { createRouter, type RouteMatch } from "../../server/http/router.ts";
import { lazyModule } from "../../server/util/lazy_module.ts";
import { once } from "../../server/util/time/promises.ts";
import { featureInterfaces } from "../feature_interfaces.ts";
import type { Lab } from "../lab.ts";
import { clockPages } from "../pages/page/clock.tsx";
import type { LabArea, LaterPages } from "../pages/page/feature_interface.ts";
import { labFilePages } from "../pages/page/lab_files.ts";
import type { LabPageRoute, ShownArea } from "../pages/page/lab_page.ts";
import { pageAt } from "../pages/page/page_routes.ts";
import { placeEntries } from "../util/lists.ts";
import { tokenDoorPages } from "./token_door.tsx";

const loadOperations = () => import("./operation_table.ts");

const { streamEvents } = lazyModule(() => import("../control/record_operations.ts"));

const coreAreas: ReadonlyArray<LabArea<Lab>> = [
  { name: "home", label: "Home" },
  { name: "flows", label: "Flows", count: (lab) => lab.flows().length },
  { name: "tokens", label: "Tokens" },
  { name: "setup", label: "Setup" },
];

const areas = placeEntries(coreAreas, featureInterfaces.flatMap(({ area = [] }) => area));

const sharedPages: ReadonlyArray<LabPageRoute<Lab>> = [
  // `/lab` leads to the home page.
  ...["", "/"].map((path) => pageAt(path, (_lab, { homeUrl }) => redirectResponse(homeUrl))),
  ...labFilePages,
  ...tokenDoorPages,
  // Programs use `/lab/events`, which never takes the cookie of a browser.
  { ...pageAt("/live", streamEvents), isPartOfPages: true },
  ...clockPages,
];

/** The pages of the areas, each of which loads when it is opened. */
export const laterPages: ReadonlyArray<LaterPages<Lab>> = [
  { below: ["flows"], load: async () => (await import("../pages/flows/flow_pages.tsx")).flowPages },
  {
    below: ["tokens"],
    load: async () => (await import("../pages/tokens/token_pages.tsx")).tokenPages,
  },
  {
    below: ["setup", "state"],
    async load() {
      const { createSetupPages } = await import("../pages/directory/setup_pages.tsx");
      return createSetupPages((await loadOperations()).operations);
    },
  },
  ...featureInterfaces.flatMap(({ pages = [] }) => pages),
  {
    below: ["api"],
    async load() {
      const { createOperationIndex } = await import("../pages/operations/operation_index.tsx");
      return [createOperationIndex((await loadOperations()).operations)];
    },
  },
  {
    async load() {
      const { createOperationPages } = await import("../pages/operations/operation_pages.tsx");
      const { clientTrial } = await import("../pages/directory/client_trial.tsx");
      const { operations } = await loadOperations();
      return createOperationPages({ operations, sections: { client: clientTrial } });
    },
  },
];

const findSharedPage = createRouter(sharedPages);
const laterRouters = laterPages.map(({ below, load }) => ({
  below,
  router: once(async () => createRouter(await load())),
}));

/** Loads every page of the lab, and every form. Each area adds its own. */
export async function loadLabPages(): Promise<ReadonlyArray<LabPageRoute<Lab>>> {
  const later = await Promise.all(laterPages.map(({ load }) => load()));
  return [...sharedPages, ...later.flat()];
}

/** Finds the page or form of a path below `/lab`, and loads no others than those next to it. */
export async function findPage(
  method: string,
  path: string,
): Promise<RouteMatch<LabPageRoute<Lab>>> {
  const shared = findSharedPage(method, path);
  const [, first = ""] = path.split("/");
  for (const { below, router } of laterRouters) {
    if (shared.route || below?.includes(first) === false) continue;
    const found = (await router())(method, path);
    if (found.route) return found;
  }
  return shared;
}

/** Returns the entries of the top bar, with how much there is to see, or without. */
export function shownAreas(lab: Lab, hasCounts: boolean): ShownArea[] {
  return areas.map(({ name, label, count }) => ({
    name,
    label,
    count: hasCounts ? count?.(lab) : undefined,
  }));
}
