import type { ResponseData } from "../../../server/http/response_data.ts";
import { createRouter, type Router } from "../../../server/http/router.ts";
import { authorizedPages } from "../../features/authorized/pages/authorized_pages.tsx";
import type { Lab } from "../../lab.ts";
import { homePages } from "../home/home_pages.tsx";
import type { LabPageRoute } from "../page/lab_page.ts";
import { handlePageRoute, type LabRequest } from "./handle_page.ts";
import { labFilePages } from "./lab_file_pages.ts";
import { startPages } from "./start_pages.tsx";

/**
 * The pages of the lab that are beside those of its server: where a flow begins and ends. They stay
 * there if the others have a port of their own, and need no token of the lab.
 */
export const frontPages: ReadonlyArray<LabPageRoute<Lab>> = [
  ...homePages,
  ...startPages,
  ...authorizedPages,
  ...labFilePages.map((route) => ({ ...route, path: `/lab${route.path}` })),
];

const findFrontPage: Router<LabPageRoute<Lab>> = createRouter(
  frontPages.map((route) => ({ ...route, isPublic: true })),
);

/** Responds with a page beside those of the server, or returns undefined if there is none. */
export async function respondToFrontRequest(
  lab: Lab,
  labRequest: LabRequest,
): Promise<ResponseData | undefined> {
  const { path, request } = labRequest;
  // What the operator configured comes first.
  if (lab.context.settings.routes.some((route) => route.path === path)) return undefined;
  const { route, segment } = findFrontPage(request.method, path);
  return route && await handlePageRoute(lab, labRequest, { route, segment });
}
