import { htmlResponse, redirectResponse } from "../../../server/http/response.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import { renderPage } from "../../../server/pages/pages.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { findMetadata } from "../../dialect/lab_endpoints.ts";
import { callbackPaths } from "../../lab_server/started_flow.ts";
import { LabFrame } from "../parts/lab_frame.tsx";
import { type LabPage, type LabPageCall, maySeeLab } from "./lab_page.ts";

/** How the paths of pages begin that a form may return to. */
const ownPages: readonly string[] = ["/lab/", "/?", ...callbackPaths.map((path) => `${path}?`)];

/** Puts the frame around a page. */
export async function labPageResponse(
  lab: CoreLab,
  call: LabPageCall,
  page: LabPage,
): Promise<ResponseData> {
  const { title, area, style, script, isLive = false, status = 200, content } = page;
  const frame = LabFrame({
    ...call,
    here: pathToReturnTo(call, area),
    title,
    area,
    style,
    script,
    isLive,
    issuer: lab.issuer,
    hasMetadata: findMetadata(lab) !== undefined,
    notice: lab.context.settings.notice,
    clock: { now: lab.clock.now(), frozen: lab.clock.frozen },
    areas: call.areas(await maySeeLab(call)),
    children: content,
  });
  const options = { isLive, sendsReferrer: true };
  return htmlResponse(await renderPage(frame), status, call.browser.headers, options);
}

/** A form that shows its own response is no page that a browser can open again. */
function pathToReturnTo({ request, base, here }: LabPageCall, area: LabPage["area"]): string {
  return request.method === "POST" ? `${base}/lab/${area ?? ""}` : here;
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
