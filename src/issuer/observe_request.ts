import type { EventRequest, RequestFacts } from "../config/event_request.ts";
import { ignoreEvents, type RequestedPath } from "../config/events.ts";
import {
  createAddressReader,
  createProxyTest,
  peerAddress,
  type TrustedProxies,
} from "../http/client_address.ts";
import { parseTraceparent, type TraceContext } from "../http/trace_context.ts";
import { createRuleLog } from "../protocol/rule.ts";
import { randomHex } from "../util/random_hex.ts";
import type { Context } from "./context.ts";
import { emitEvent } from "./emit_event.ts";

/** Responds to a request with a context whose events belong to that request. */
export type ObserveRequest = (
  request: Request,
  requested: RequestedPath,
  respond: (ctx: Context) => Promise<Response>,
) => Promise<Response>;

/** Creates the function that gives each request its events, and reports its end. */
export function createRequestObserver(ctx: Context): ObserveRequest {
  const { settings, now } = ctx;
  if (settings.onEvent === ignoreEvents) {
    return (request, _requested, respond) => respond({ ...ctx, sender: ctx.addressOf(request) });
  }
  const addressOf = createAddressReader(settings.trustedProxies);
  const readTrace = createTraceReader(settings.trustedProxies);

  return async (request, requested, respond) => {
    // The clock of a server may be set, or stand still; a duration is always real.
    const start = performance.now();
    const known = {
      // The source is not the configured one: each request would change what a seeded lab creates.
      id: randomHex(2),
      trace: readTrace(request),
      address: addressOf(request),
      startedAt: now(),
    };
    const facts: RequestFacts = {};
    const { applied, apply } = createRuleLog(settings.hints);
    const describe = (): EventRequest => ({
      ...known,
      ...facts,
      duration: performance.now() - start,
      rules: applied,
    });
    const response = await respond({
      ...ctx,
      sender: ctx.addressOf(request),
      emit: (event) => emitEvent(settings, event, describe()),
      note: (learned) => void Object.assign(facts, learned),
      apply,
    });
    const { error } = facts;
    const outcome = { status: response.status, ...error && { error } };
    emitEvent(settings, { type: "request.handled", ...requested, ...outcome }, describe());
    return response;
  };
}

/**
 * Takes up the trace of a trusted proxy. Any other sender could make its requests pass for those of
 * somebody else, so they begin a new one (W3C Trace Context, section 5.1).
 */
function createTraceReader(trustedProxies: TrustedProxies): (request: Request) => TraceContext {
  const isProxy = createProxyTest(trustedProxies);
  return (request) => {
    const peer = peerAddress(request);
    const isTrusted = peer !== undefined && isProxy(peer);
    const received = isTrusted ? parseTraceparent(request.headers.get("traceparent")) : undefined;
    return received ?? { traceId: randomHex(4), flags: 0 };
  };
}
