import type { CoreLab } from "../../core/core_lab.ts";
import { jsonOf } from "../../recording/exchange.ts";

/** How many codes the page names. */
const maxNamed = 3;

/** Says what the page is for, and which codes wait, for those who may see them. */
export function aboutDevicePage(lab: CoreLab, maySeeCodes: boolean): string {
  const codes = maySeeCodes ? waitingCodes(lab) : [];
  const next = codes.length > 0
    ? `Waiting now: ${codes.slice(0, maxNamed).join(", ")}.`
    : "The page of a client has the command that gets one.";
  return `Users of a real server enter the code here that a device shows. ${next}`;
}

/** Returns the codes that no user has decided about, the newest first, with their clients. */
function waitingCodes(lab: CoreLab): string[] {
  const exchanges = lab.exchanges();
  const decided = new Set(
    exchanges.flatMap(({ events }) =>
      events.flatMap((event) =>
        event.type === "device.allowed" || event.type === "device.denied" ? [event.device] : []
      )
    ),
  );
  return exchanges.flatMap((exchange) => {
    const { at, request: { endpoint, client }, response, concerns: { device } } = exchange;
    if (endpoint !== "deviceAuthorization" || device === undefined || decided.has(device)) {
      return [];
    }
    const { user_code, expires_in } = (response && jsonOf(response)) ?? {};
    const isOver = at + Number(expires_in) * 1000 <= lab.clock.now();
    return user_code === undefined || isOver ? [] : [`${user_code} for ${client}`];
  }).reverse();
}
