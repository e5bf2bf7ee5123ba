import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import type { InternalServer } from "../../server/server.ts";
import type { LabResponse } from "../core/core_lab.ts";
import { dropped } from "../faults/fault.ts";
import type { ProbeContext } from "../faults/probe.ts";
import type { Exchange, WireRequest, WireResponse } from "../recording/exchange.ts";
import { identifyRequest } from "../recording/identify_request.ts";
import type { Recorder } from "../recording/recorder.ts";
import { createRequestScope, type RequestScope } from "../recording/request_scope.ts";
import { flowLinks } from "./flow_links.ts";
import type { LabParts } from "./lab_parts.ts";
import {
  type HookableExchange,
  prepareResponse,
  type UnfaultedResponse,
} from "./prepare_response.ts";

/** The response to a request, and the exchange that records both. */
export interface HandledExchange {
  response: LabResponse;
  exchange?: Exchange;
}

/** A response after faults changed it. */
interface ChangedResponse {
  response: WireResponse;
  /** Undefined if a fault responded in place of the server. */
  prepared: UnfaultedResponse | undefined;
  firedFaults: readonly string[];
}

/** A request, as it was read and as the server gets it, and what observes it. */
interface ObservedRequest {
  wireRequest: WireRequest;
  request: IncomingRequest;
  scope: RequestScope;
}

/**
 * Handles a request of the protocol: the server responds, hooks and faults change the response, and
 * the request is recorded with its response.
 */
export async function recordAndRespond(
  parts: LabParts,
  server: InternalServer,
  wireRequest: WireRequest,
  request: IncomingRequest,
): Promise<HandledExchange> {
  const { clock, recorder, record, probe } = parts;
  const startMark = recorder.mark();
  const abortMark = watchAbort(request, recorder);
  const scope = createRequestScope(flowLinks(parts, () => startMark));
  const changed = await changedResponse(parts, server, { wireRequest, request, scope });
  const { response, prepared, firedFaults } = changed;
  // A client that closed the connection has no response, and may send the request again.
  const isReceived = response !== dropped && abortMark() === undefined;
  const { learned } = scope;
  const exchange = {
    at: clock.now(),
    request: wireRequest,
    response: isReceived ? response : undefined,
    faults: [...prepared?.firedHooks ?? [], ...firedFaults],
    ...learned,
    ...parts.origin,
    concerns: Object.keys(learned.concerns).length > 0
      ? learned.concerns
      : await identifyRequest(server.context, wireRequest),
  };
  emitFaults(parts, wireRequest, firedFaults);
  const recorded = record.add(exchange, startMark, abortMark());
  await probe?.observe(recorded, probeContext(parts, server, wireRequest));
  return { response: toLabResponse(changed), exchange: recorded };
}

/** Returns what the probe of a lab learns about a request. */
export function probeContext(
  { waits, aliases, memory }: LabParts,
  server: InternalServer,
  request: WireRequest,
): ProbeContext {
  return { server, request, aliases, memory, wait: waits.wait };
}

/** Returns a function that returns the mark at which the client closed the connection. */
function watchAbort(request: IncomingRequest, recorder: Recorder): () => number | undefined {
  let mark: number | undefined;
  const onAbort = () => void (mark = recorder.mark());
  request.signal().addEventListener("abort", onAbort, { once: true });
  return () => mark;
}

/**
 * Lets the server respond, unless a fault responds in its place, and faults change the response.
 */
async function changedResponse(
  parts: LabParts,
  server: InternalServer,
  { wireRequest, request, scope }: ObservedRequest,
): Promise<ChangedResponse> {
  const { timeline, faults, waits, aliases, memory } = parts;
  const hookable: HookableExchange = {
    server,
    request: wireRequest,
    findFlow: async () =>
      timeline.find(wireRequest, await identifyRequest(server.context, wireRequest)),
  };
  let prepared: UnfaultedResponse | undefined;
  const { response, fired: firedFaults } = await faults.respond(
    { ...hookable, aliases, memory, wait: waits.wait },
    async () => {
      prepared = await prepareResponse(parts, hookable, request, scope);
      return prepared.response;
    },
  );
  return { response, prepared, firedFaults };
}

/** Returns what is sent. A response that nothing changed is sent as the server made it. */
function toLabResponse({ response, prepared, firedFaults }: ChangedResponse): LabResponse {
  if (firedFaults.length === 0 && prepared?.isChanged === false) return prepared.original;
  return { failure: prepared?.hookError, ...changedLabResponse(response) };
}

/** Returns what is sent of a response that something changed. */
export function changedLabResponse(response: WireResponse): LabResponse {
  return response === dropped ? brokenResponse() : { ...response, body: response.body || null };
}

/** Whether a request belongs to the protocol. Only such requests are recorded. */
export function isProtocolRequest({ path, endpoint }: WireRequest): boolean {
  return endpoint !== undefined || path.startsWith("/oauth2/") || path.startsWith("/.well-known/");
}

/** The error of a client that reads a response whose connection the lab closed. */
class BrokenConnection extends TypeError {
  override readonly name = "BrokenConnection";

  constructor() {
    super("The lab closed the connection because of a fault.");
  }
}

/** Tells that faults fired. */
export function emitFaults(
  { events }: LabParts,
  request: WireRequest,
  fired: readonly string[],
): void {
  const { method, path, client } = request;
  for (const fault of fired) {
    events.emitLabEvent({ type: "fault.fired", fault, method, path, client });
  }
}

/** Sends the beginning of a JSON body, and then fails. */
function brokenResponse(): LabResponse {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"')),
    // Bun treats a stream that fails in the same task as one that ended.
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve));
      controller.error(new BrokenConnection());
    },
  });
  return {
    status: 200,
    headers: [["Content-Type", "application/json"], ["X-Lab-Fault", "dropped"]],
    body,
    failure: new BrokenConnection(),
  };
}
