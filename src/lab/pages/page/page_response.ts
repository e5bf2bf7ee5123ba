import { htmlResponse, redirectResponse } from "../../../server/http/response.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import { renderPage } from "../../../server/pages/pages.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { callbackPaths } from "../../lab_server/started_flow.ts";
import { framedPage } from "./lab_frame.tsx";
import type { LabPage, LabPageCall } from "./lab_page.ts";

/** How the paths of pages begin that a form may return to. */
const ownPages: readonly string[] = ["/lab/", "/?", ...callbackPaths.map((path) => `${path}?`)];

/** Puts the frame around a page. */
export async function labPageResponse(
  lab: CoreLab,
  call: LabPageCall,
  page: LabPage,
): Promise<ResponseData> {
  const { status = 200, isLive = false } = page;
  const html = await renderPage(await framedPage(lab, call, page));
  return htmlResponse(html, status, call.browser.headers, { isLive, sendsReferrer: true });
}

/** Sends the browser from a form to a page of the lab, by its path below `/lab`. */
export function seePage({ base }: LabPageCall, path: string): ResponseData {
  return redirectResponse(`${base}/lab${path}`);
}

/** Sends the browser from a form back to the page that it was on, which the form names. */
export function seePreviousPage({ base, form, homeUrl }: LabPageCall): ResponseData {
  const back = form.get("back") ?? "";
  // Only our own pages: a form must not send the user to another site.
  const isOwn = ownPages.some((path) => back.startsWith(base + path)) && !back.includes("\\");
  return redirectResponse(isOwn ? back : homeUrl);
}
