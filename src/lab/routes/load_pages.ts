import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import { once } from "../../server/util/time/promises.ts";
import type { PageHandlers } from "../handling/dispatch.ts";
import type { Lab } from "../lab.ts";
import { callbackPaths, startPaths } from "../lab_server/started_flow.ts";
import type { LabRequest } from "./handle_page.ts";

const beginnings: readonly string[] = [...startPaths, ...callbackPaths, "/lab/static/"];

/** Most tests need neither the pages of a lab nor its interface over HTTP. */
const loadInterface = once(() => import("./handle_page.ts"));
const loadFrontPages = once(() => import("./front_pages.tsx"));

/** Whether a front page may be at a path. The code of these pages loads with the first of them. */
export function isFrontPath(path: string): boolean {
  return path === "/" || beginnings.some((beginning) => path.startsWith(beginning));
}

/** Creates what responds with the pages of a lab. They are loaded when the first one is needed. */
export function createPageHandlers(
  labOf: () => Lab,
  access: Pick<LabRequest, "token" | "isApart">,
): PageHandlers {
  const requestFor = (request: IncomingRequest, path: string) => ({ request, path, ...access });
  const front: PageHandlers["front"] = async (request, path) => {
    const { respondToFrontRequest } = await loadFrontPages();
    const place = labOf().context.settings;
    return await respondToFrontRequest(labOf(), { ...requestFor(request, path), place });
  };
  return {
    async control(request, path) {
      const { respondToLabRequest } = await loadInterface();
      const place = labOf().interfacePlace;
      return await respondToLabRequest(labOf(), { ...requestFor(request, path), place });
    },
    front: (request, path) => isFrontPath(path) ? front(request, path) : undefined,
  };
}
