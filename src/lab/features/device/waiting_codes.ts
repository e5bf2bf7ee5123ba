import type { CoreLab } from "../../core/core_lab.ts";
import { jsonOf } from "../../recording/exchange.ts";
import { escapeXml } from "../../util/xml.ts";

/** How many codes the page names. */
const maxNamed = 3;

/** The end of the line at the top of each page. */
const endOfNotice = "</aside>";

/**
 * Adds to the line at the top of a page the codes that no user has decided about, the newest first,
 * with their clients.
 */
export function withWaitingCodes(lab: CoreLab, html: string): string {
  const exchanges = lab.exchanges();
  const events = exchanges.flatMap((each) => each.events);
  const decided = new Set(
    events.flatMap((event) =>
      event.type === "device.allowed" || event.type === "device.denied" ? [event.device] : []
    ),
  );
  const codes = exchanges.flatMap((exchange) => {
    const { at, request: { endpoint, client }, response, concerns: { device } } = exchange;
    if (endpoint !== "deviceAuthorization" || device === undefined || decided.has(device)) {
      return [];
    }
    const { user_code, expires_in } = (response && jsonOf(response)) ?? {};
    const isOver = at + Number(expires_in) * 1000 <= lab.clock.now();
    return user_code === undefined || isOver ? [] : [`${user_code} for ${client}`];
  });
  if (codes.length === 0) return html;
  const newest = codes.toReversed().slice(0, maxNamed);
  const text = escapeXml(` Waiting now: ${newest.join(", ")}.`);
  return html.replace(endOfNotice, () => text + endOfNotice);
}
