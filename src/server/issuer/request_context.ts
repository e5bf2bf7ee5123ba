import type { RequestFacts } from "../config/event_request.ts";
import { ignoreEvents } from "../config/events.ts";
import { createProxyTest, peerAddress, type TrustedProxies } from "../http/client_address.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import { senderNetwork } from "../http/sender_network.ts";
import { parseTraceparent, type TraceContext } from "../http/trace_context.ts";
import { createRuleLog } from "../protocol/rule.ts";
import { randomHex } from "../util/crypto/random_pool.ts";
import type { Context, RequestContext, RequestObserver } from "./context.ts";
import { emitEvent } from "./emit_event.ts";

/** Makes the context of a request. */
export type CreateRequestContext = (
  request: IncomingRequest,
  observer?: RequestObserver,
) => RequestContext;

/** Creates the function that makes the context of each request. */
export function createRequestContexts(ctx: Context): CreateRequestContext {
  const { settings, readAddress, now } = ctx;
  const readTrace = createTraceReader(settings.trustedProxies);
  return (request, observer) => {
    const facts: RequestFacts = {};
    const address = readAddress(request);
    const sender = address && senderNetwork(address);
    // Without a listener, nothing reads which rules were applied.
    // Untestable (the condition became false): it only saves time, as each event is ignored.
    if (settings.onEvent === ignoreEvents) return { ...ctx, request, sender, facts, rules: [] };
    // The clock of a server may be set, or stand still; a duration is always real.
    const start = performance.now();
    // The ids are not from the configured source: each request would change what a seed creates.
    const identity = { id: randomHex().slice(16), trace: readTrace(request), startedAt: now() };
    const { applied: rules, apply } = createRuleLog(settings.hints);
    return {
      ...ctx,
      request,
      sender,
      facts,
      rules,
      apply,
      note: (learned) => void Object.assign(facts, learned),
      emit(event) {
        const described = {
          address,
          ...identity,
          ...facts,
          duration: performance.now() - start,
          rules,
        };
        emitEvent(settings, event, described);
        observer?.onEvent(event, described);
      },
      flowUrl: observer?.flowUrl,
      errorUri: observer?.errorUri,
      refusal: observer?.refusal,
      sentTo: observer?.sentTo,
      chooseCredential: observer?.chooseCredential,
      refuseUser: observer?.refuseUser,
    };
  };
}

/**
 * Continues the trace of a trusted proxy. Any other sender could join a trace that is not its own,
 * so its requests begin a new one (W3C Trace Context, section 5.1).
 */
function createTraceReader(
  trustedProxies: TrustedProxies,
): (request: IncomingRequest) => TraceContext {
  const isProxy = createProxyTest(trustedProxies);
  return (request) => {
    const peer = peerAddress(request);
    const isTrusted = peer !== undefined && isProxy(peer);
    const received = isTrusted ? parseTraceparent(request.headers.get("traceparent")) : undefined;
    return received ?? { traceId: randomHex(), flags: 0 };
  };
}
