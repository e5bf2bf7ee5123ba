import type { InternalServer } from "../server.ts";
import { flowUrlAt, type LabParts } from "./lab_parts.ts";
import { announceExchange } from "./recording/announce_exchange.ts";
import { readWireResponse, type WireRequest } from "./recording/exchange.ts";
import { type RequestScope, withinRequest } from "./recording/request_scope.ts";

/** The statuses of a wrong path and of a wrong method. */
const recordedStatuses = [404, 405];

/**
 * Handles a request for a page that is not part of the protocol. It is recorded only if there is no
 * such page: a client that has a wrong path asks why it was refused.
 */
export async function recordWrongPath(
  parts: LabParts,
  server: InternalServer,
  wireRequest: WireRequest,
  request: Request,
): Promise<Response> {
  const { clock, recorder, timeline } = parts;
  const startMark = recorder.mark();
  const scope: RequestScope = {
    events: [],
    rules: [],
    concerns: {},
    findFlowUrl: () => flowUrlAt(parts, startMark),
  };
  const response = await withinRequest(scope, () => server.fetch(request));
  if (!recordedStatuses.includes(response.status)) return response;
  const exchange = recorder.record({
    at: clock.now(),
    request: wireRequest,
    response: await readWireResponse(response),
    faults: [],
    events: scope.events,
    rules: scope.rules,
    concerns: scope.concerns,
  }, startMark);
  announceExchange(parts.events, exchange, timeline.observe(exchange));
  return response;
}
