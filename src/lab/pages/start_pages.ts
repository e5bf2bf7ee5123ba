import { redirectResponse } from "../../http/response.ts";
import type { LabPageRoute } from "./lab_page.ts";

/** Leads from `/lab` to the home page. */
export const startPages: readonly LabPageRoute[] = ["", "/"].map((path) => ({
  method: "GET",
  path,
  handle: (_lab, { homeUrl }) => redirectResponse(homeUrl),
}));
