/** @jsxImportSource preact */
import { renderElement } from "../../../server/pages/render_element.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { flowPath } from "../../flows/flow_source.ts";
import type { PendingExchange } from "../../layers/pending_exchange.ts";
import { labBrowserOf, labFormToken, pageAccessProblem } from "../../pages/page/page_guard.ts";
import { WithFix } from "../../pages/parts/fix.tsx";
import type { WireResponse } from "../../recording/exchange.ts";
import { offerRegistration } from "./offer_registration.tsx";

/** The link of the page that leads to the flow. */
const flowLink = '<p><a id="flow"';

/**
 * Adds the button to the server's page of a refused request. Its form needs a cookie and a real
 * `Origin`, as those of the lab's pages do.
 */
export async function offerOnPage(
  lab: CoreLab,
  { serverRequest, recorded }: PendingExchange,
  response: WireResponse,
): Promise<WireResponse> {
  const { base, addresses } = lab.interfacePlace;
  if (!recorded || !response.body.includes(flowLink)) return response;
  if (pageAccessProblem(serverRequest, addresses)) return response;
  const browser = await labBrowserOf(lab.contextOf(serverRequest));
  const fix = offerRegistration(lab, [recorded], {
    base,
    formToken: await labFormToken(browser),
    here: `${base}/lab${flowPath(lab, recorded.id)}`,
  });
  if (!fix || browser.isUncertain) return response;
  const html = renderElement(<WithFix fix={fix} />);
  const headers = response.headers.filter(([name]) => name.toLowerCase() !== "referrer-policy");
  return {
    ...response,
    headers: [...headers, ["Referrer-Policy", "same-origin"], ...browser.headers],
    body: response.body.replace(flowLink, () => html + flowLink),
  };
}
