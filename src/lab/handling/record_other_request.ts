import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import { listHeaders, type ResponseData } from "../../server/http/response_data.ts";
import type { InternalServer } from "../../server/server.ts";
import { lazily } from "../../server/util/values/lazy.ts";
import { announceExchange } from "../recording/announce_exchange.ts";
import {
  headerOf,
  readWireResponse,
  type WireRequest,
  type WireResponse,
  withWholeBody,
} from "../recording/exchange.ts";
import { identifyRequest } from "../recording/identify_request.ts";
import { createRequestScope } from "../recording/request_scope.ts";
import { flowLinks } from "./flow_links.ts";
import type { LabParts } from "./lab_parts.ts";
import type { HandledExchange } from "./record_and_respond.ts";

/** The statuses of a wrong path and of a wrong method. */
const recordedStatuses = [404, 405];

/** The media types of text that is no stream of events. */
const finiteText = /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/i;

/** A request that is not part of the protocol. */
export interface OtherRequest {
  wireRequest: WireRequest;
  request: IncomingRequest;
  /** Whether it is for a route of the test's own. */
  isOwnRoute: boolean;
  /** The response of the MCP server of the lab, if the request is for it. */
  mcpResponse?: ResponseData | undefined;
}

/**
 * Handles a request that is not part of the protocol. It is recorded if it is for a route of the
 * test's own or for the MCP server, or if there is no such page: a client that has a wrong path
 * asks why it was refused.
 */
export async function recordOtherRequest(
  parts: LabParts,
  server: InternalServer,
  { wireRequest, request, isOwnRoute, mcpResponse }: OtherRequest,
): Promise<HandledExchange> {
  const { clock, recorder, timeline } = parts;
  // Pages that exist leave no mark, so that a browser does not change the links of a seeded lab.
  const startMark = lazily(recorder.mark);
  const isRecorded = isOwnRoute || mcpResponse !== undefined;
  if (isRecorded) startMark();
  const { learned, observer } = createRequestScope(flowLinks(parts, startMark));
  const sent = mcpResponse ?? await server.respond(request, observer);
  if (!isRecorded && !recordedStatuses.includes(sent.status)) return { response: sent };
  const { response, recorded } = await readResponse(sent);
  const exchange = recorder.record({
    at: clock.now(),
    request: wireRequest,
    response: recorded,
    faults: [],
    ...learned,
    ...parts.origin,
    ...isRecorded && { isOwnRoute: true },
    ...mcpResponse && {
      isMcp: true,
      concerns: await identifyRequest(server.context, wireRequest),
    },
  }, startMark());
  announceExchange(parts.events, exchange, timeline.observe(exchange));
  return { response, exchange };
}

/** A response as it is sent, and as it is recorded. */
interface ReadOnce {
  response: ResponseData;
  recorded: WireResponse;
}

/** Reads a response if its body is text that has an end. Of a stream, the body is not recorded. */
async function readResponse(sent: ResponseData): Promise<ReadOnce> {
  const unread = { status: sent.status, headers: listHeaders(sent.headers), body: "" };
  const type = headerOf(unread, "Content-Type") ?? "";
  if (sent.body instanceof ReadableStream && !finiteText.test(type)) {
    return { response: sent, recorded: unread };
  }
  const response = await withWholeBody(sent);
  return { response, recorded: readWireResponse(response) };
}
