import type { IncomingRequest } from "../http/incoming_request.ts";
import type { ResponseData } from "../http/response_data.ts";
import { errorBody, errorFactory } from "../protocol/oauth_error.ts";
import type { InternalServer } from "../server.ts";
import { messageOf } from "../util/error_message.ts";
import { checkUnaskedUser } from "./browser/answer_for_user.ts";
import { changeRequest } from "./changed_request.ts";
import { dropped } from "./faults/fault.ts";
import type { ScopedRequest } from "./faults/flow_scope.ts";
import type { HookedExchange } from "./hooks/apply_hooks.ts";
import type { LabResponse } from "./lab.ts";
import { LabError } from "./lab_error.ts";
import { flowLinks, type LabParts } from "./lab_parts.ts";
import { announceExchange } from "./recording/announce_exchange.ts";
import {
  readWireResponse,
  type WholeResponse,
  type WireRequest,
  type WireResponse,
  withWholeBody,
} from "./recording/exchange.ts";
import { identifyRequest } from "./recording/identify_request.ts";
import { refusalOf } from "./recording/refusal.ts";
import { createRequestScope, type RequestScope } from "./recording/request_scope.ts";

/** The response of the server, before faults change it. */
interface UnfaultedResponse {
  /** The response of the server itself. */
  original: WholeResponse;
  /** The response as the lab's settings and the hooks of the test changed it. */
  response: WireResponse;
  /** Whether it differs from the original. */
  isChanged: boolean;
  /** The names of the hooks that fired. */
  firedHooks: readonly string[];
  /** The error of the hook that failed instead of changing the response. */
  hookError?: unknown;
}

/** A request, with all that hooks need to change its response. */
type HookableExchange = HookedExchange & ScopedRequest;

/**
 * Handles a request of the protocol: the server responds, hooks and faults change the response, and
 * the request is recorded with its response.
 */
export async function recordAndRespond(
  parts: LabParts,
  server: InternalServer,
  wireRequest: WireRequest,
  request: IncomingRequest,
): Promise<LabResponse> {
  const { clock, recorder, timeline, faults, waits, aliases } = parts;
  const startMark = recorder.mark();
  let abortMark: number | undefined;
  const onAbort = () => {
    abortMark = recorder.mark();
  };
  request.signal().addEventListener("abort", onAbort, { once: true });
  const hookable: HookableExchange = {
    server,
    request: wireRequest,
    findFlow: async () =>
      timeline.find(wireRequest, await identifyRequest(server.context, wireRequest)),
  };
  let prepared: UnfaultedResponse | undefined;
  const scope = createRequestScope(flowLinks(parts, () => startMark));
  const { response, fired: firedFaults } = await faults.respond(
    { ...hookable, aliases, wait: waits.wait },
    async () => {
      prepared = await prepareResponse(parts, hookable, request, scope);
      return prepared.response;
    },
  );
  const isDropped = response === dropped;
  // A client that closed the connection has no response, and may send the request again.
  const isReceived = !isDropped && abortMark === undefined;
  const exchange = {
    at: clock.now(),
    request: wireRequest,
    response: isReceived ? response : undefined,
    faults: [...prepared?.firedHooks ?? [], ...firedFaults],
    events: scope.events,
    rules: scope.rules,
    concerns: Object.keys(scope.concerns).length > 0
      ? scope.concerns
      : await identifyRequest(server.context, wireRequest),
  };
  const recorded = recorder.record(exchange, startMark, abortMark);
  emitFaults(parts, wireRequest, firedFaults);
  announceExchange(parts.events, recorded, timeline.observe(recorded));
  if (isDropped) return brokenResponse();
  if (firedFaults.length === 0 && prepared?.isChanged === false) return prepared.original;
  return { ...response, body: response.body || null, failure: prepared?.hookError };
}

/** Whether a request belongs to the protocol. Only such requests are recorded. */
export function isProtocolRequest({ path, endpoint }: WireRequest): boolean {
  return endpoint !== undefined || path.startsWith("/oauth2/") || path.startsWith("/.well-known/");
}

/** The error of a client that reads a response whose connection the lab closed. */
export class BrokenConnection extends TypeError {
  override readonly name = "BrokenConnection";

  constructor() {
    super("The lab closed the connection because of a fault.");
  }
}

async function prepareResponse(
  parts: LabParts,
  context: HookableExchange,
  request: IncomingRequest,
  scope: RequestScope,
): Promise<UnfaultedResponse> {
  const { responseTypes, hooks } = parts;
  const { server, request: wireRequest } = context;
  const translated = await responseTypes.translateRequest(server.context, request, wireRequest);
  const original = await withWholeBody(await respond(parts, context, translated, scope));
  const sent = readWireResponse(original);
  const { rule } = refusalOf(scope) ?? {};
  const completed = await responseTypes.completeResponse(server, wireRequest, sent, rule);
  try {
    const { response, fired } = await hooks.apply(context, completed);
    const isChanged = completed !== sent || fired.length > 0;
    return { original, response, isChanged, firedHooks: fired };
  } catch (hookError) {
    const response = failedHookResponse(hookError);
    return { original, response, isChanged: true, firedHooks: [], hookError };
  }
}

/** Returns the response for a client in another process if a hook throws. */
function failedHookResponse(cause: unknown): WireResponse {
  const error = errorFactory("server_error")(`A hook of the test failed: ${messageOf(cause)}`);
  return {
    status: 500,
    headers: [["Content-Type", "application/json"], ["Cache-Control", "no-store"]],
    body: JSON.stringify(errorBody(error)),
  };
}

function emitFaults({ events }: LabParts, request: WireRequest, fired: readonly string[]): void {
  const { method, path, client } = request;
  for (const fault of fired) {
    events.emitLabEvent({ type: "fault.fired", fault, method, path, client });
  }
}

/** Returns the response of the server, unless it would sign in a user who does not exist. */
async function respond(
  parts: LabParts,
  { server, request: wireRequest }: HookableExchange,
  request: IncomingRequest,
  scope: RequestScope,
): Promise<ResponseData> {
  const { observer } = scope;
  try {
    await checkUnaskedUser(server.context, parts, wireRequest);
  } catch (cause) {
    if (cause instanceof LabError) return plainTextResponse(cause.message, 400);
    throw cause;
  }
  return await server.respond(
    withIssuedRefreshToken(request, wireRequest, parts.aliases),
    observer,
  );
}

function plainTextResponse(text: string, status: number): ResponseData {
  return {
    status,
    headers: [["Content-Type", "text/plain; charset=utf-8"], ["Cache-Control", "no-store"]],
    body: text,
  };
}

/** Replaces a refresh token that a fault invented with the one that the server issued. */
function withIssuedRefreshToken(
  request: IncomingRequest,
  wireRequest: WireRequest,
  aliases: ReadonlyMap<string, string>,
): IncomingRequest {
  const issuedToken = aliases.get(wireRequest.form.get("refresh_token") ?? "");
  if (issuedToken === undefined) return request;
  const body = new URLSearchParams(wireRequest.form);
  body.set("refresh_token", issuedToken);
  return changeRequest(request, wireRequest, body.toString());
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
