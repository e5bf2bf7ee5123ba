import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import type { InternalServer } from "../../server/server.ts";
import { lazily } from "../../server/util/values/lazy.ts";
import { announceExchange } from "../recording/announce_exchange.ts";
import { readWireResponse, type WireRequest, withWholeBody } from "../recording/exchange.ts";
import { createRequestScope } from "../recording/request_scope.ts";
import { flowLinks } from "./flow_links.ts";
import type { LabParts } from "./lab_parts.ts";
import type { HandledExchange } from "./record_and_respond.ts";

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
  request: IncomingRequest,
): Promise<HandledExchange> {
  const { clock, recorder, timeline } = parts;
  // Pages that exist leave no mark, so that a browser does not change the links of a seeded lab.
  const startMark = lazily(recorder.mark);
  const { learned, observer } = createRequestScope(flowLinks(parts, startMark));
  const response = await server.respond(request, observer);
  if (!recordedStatuses.includes(response.status)) return { response };
  const exchange = recorder.record({
    at: clock.now(),
    request: wireRequest,
    response: readWireResponse(await withWholeBody(response)),
    faults: [],
    ...learned,
  }, startMark());
  announceExchange(parts.events, exchange, timeline.observe(exchange));
  return { response, exchange };
}
