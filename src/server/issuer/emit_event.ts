import type { EventRequest, ServerEvent } from "../config/events.ts";
import type { Settings } from "../config/settings.ts";

/**
 * Calls the listener. Events report and never decide: a listener that fails must not change the
 * outcome of a request.
 */
export function emitEvent(
  { onEvent }: Pick<Settings, "onEvent">,
  event: ServerEvent,
  request?: EventRequest,
): void {
  try {
    onEvent(event, request);
  } catch (cause) {
    console.error("An event listener failed:", cause);
  }
}
