import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import { listHeaders, type ResponseData } from "../../server/http/response_data.ts";
import type { InternalServer } from "../../server/server.ts";
import { lazily } from "../../server/util/values/memoize.ts";
import type { LabResponse } from "../core/core_lab.ts";
import { dropped } from "../faults/fault.ts";
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
import {
  changedLabResponse,
  emitFaults,
  type HandledExchange,
  probeContext,
} from "./record_and_respond.ts";

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
  const { clock, recorder, record } = parts;
  // Pages that exist leave no mark, so that a browser does not change the links of a seeded lab.
  const startMark = lazily(recorder.mark);
  const isRecorded = isOwnRoute || mcpResponse !== undefined;
  if (isRecorded) startMark();
  const { learned, observer } = createRequestScope(flowLinks(parts, startMark));
  const sent = mcpResponse ?? await server.respond(request, observer);
  if (!isRecorded && !recordedStatuses.includes(sent.status)) return { response: sent };
  const read = await readResponse(sent);
  const { response, recorded, faults } = mcpResponse
    ? await withFaults(parts, server, wireRequest, read)
    : { ...read, faults: [] };
  emitFaults(parts, wireRequest, faults);
  const exchange = record.add({
    at: clock.now(),
    request: wireRequest,
    response: recorded,
    faults,
    ...learned,
    ...parts.origin,
    ...isRecorded && { isOwnRoute: true },
    ...mcpResponse && {
      isMcp: true,
      concerns: await identifyRequest(server.context, wireRequest),
    },
  }, startMark());
  if (mcpResponse) await parts.probe?.observe(exchange, probeContext(parts, server, wireRequest));
  return { response, exchange };
}

/** A response after faults changed it. */
interface FaultedOnce {
  response: LabResponse;
  /** Undefined if the client did not get it whole. */
  recorded: WireResponse | undefined;
  /** The names of the faults that fired. */
  faults: string[];
}

/** Lets faults change a response of the MCP server. */
async function withFaults(
  { faults, timeline, aliases, memory, waits }: LabParts,
  server: InternalServer,
  request: WireRequest,
  { response, recorded }: ReadOnce,
): Promise<FaultedOnce> {
  const findFlow = async () =>
    timeline.find(request, await identifyRequest(server.context, request));
  const exchange = { server, request, findFlow, aliases, memory, wait: waits.wait };
  const { response: changed, fired } = await faults.respond(exchange, async () => recorded);
  if (fired.length === 0) return { response, recorded, faults: fired };
  return {
    response: changedLabResponse(changed),
    recorded: changed === dropped ? undefined : changed,
    faults: fired,
  };
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
