import type { CoreLab } from "../core/core_lab.ts";
import type { Nest, RequestLayers } from "../layers/layer.ts";
import { requestTime } from "../recording/exchange.ts";
import { createRequestHandler } from "./handle_request.ts";
import type { LabParts, RespondingParts } from "./lab_parts.ts";
import { withPageOrigin } from "./page_origin.ts";

/** What the lab makes of requests in the past. */
interface PastHandling {
  /** Returns what the parts of the lab do to them: the first one is nearest to the client. */
  layersOf(past: RespondingParts): readonly RequestLayers[];
  nest: Nest;
}

/** Returns the function that opens a lab as it was when it got a request. */
export function pastOpener(
  parts: LabParts,
  { layersOf, nest }: PastHandling,
): CoreLab["openPast"] {
  return async (exchange) => {
    await parts.server.settled();
    const { createPastParts } = await import("./past_parts.ts");
    const time = requestTime(exchange);
    const past = createPastParts(parts, time);
    const handle = createRequestHandler(past, { layers: layersOf(past), nest });
    const { context } = past.server.current();
    return {
      context,
      settings: { config: past.config },
      clients: past.clients,
      async recordExchange(request) {
        const { addresses } = context.settings;
        const labels = { replayOf: exchange.id, past: time };
        const handled = await withPageOrigin(request, addresses, () => handle(request, labels));
        await past.server.current().close();
        return handled.exchange;
      },
    };
  };
}
