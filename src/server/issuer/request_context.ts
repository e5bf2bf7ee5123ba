import { ignoreEvents, type RequestFacts, type ServerEvent } from "../config/events.ts";
import type { Settings } from "../config/settings.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import { parseTraceparent } from "../http/trace_context.ts";
import { createRuleLog } from "../protocol/rule.ts";
import { senderNetwork } from "../util/addresses/network.ts";
import { parseUrl } from "../util/addresses/uri.ts";
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
  const { settings, readOrigin, now } = ctx;
  return (request, observer) => {
    const facts: RequestFacts = {};
    const origin = readOrigin(request);
    const { address, isForwarded } = origin;
    const network = address && senderNetwork(address);
    const sender = observer?.senderOf ? observer.senderOf(network) : network;
    // Without a listener, nothing reads which rules were applied.
    if (settings.onEvent === ignoreEvents) {
      return { ...ctx, request, origin, sender, facts, rules: [] };
    }
    // The clock of a server may be set, or stand still; a duration is always real.
    const start = performance.now();
    // The ids are not from the configured source: each request would change what a seed creates.
    const traceId = randomHex();
    // Any sender but a trusted proxy could join a trace that is not its own, so that its requests
    // begin a new one (W3C Trace Context, section 5.1).
    const received = isForwarded ? parseTraceparent(request.headers.get("traceparent")) : undefined;
    const trace = received ?? { traceId, flags: 0 };
    const identity = { id: traceId.slice(16), trace, startedAt: now() };
    const { applied: rules, apply } = createRuleLog(settings.hints);
    return {
      ...ctx,
      hooks: { ...ctx.hooks, ...observer },
      request,
      origin,
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
    };
  };
}

/**
 * Reports once that a peer forwards requests but is not trusted, and once that a trusted one does
 * not name the sender. Either way, everyone behind the proxy counts as one sender, and one of them
 * can use up the budgets of all.
 */
export function createProxyWatch(
  { issuer }: Pick<Settings, "issuer">,
  emit: (event: ServerEvent) => void,
): (request: Pick<RequestContext, "request" | "origin">) => void {
  const reported = new Set<ServerEvent["type"]>();
  return ({ request, origin: { peer, isForwarded } }) => {
    if (peer === undefined) return;
    const type = isForwarded ? "forwarded_header.missing" : "forwarded_header.ignored";
    if (reported.has(type) || isForwarded === namesSender(request)) return;
    // A probe or a command on the machine of the proxy uses another name.
    if (isForwarded && parseUrl(request.url)?.host !== new URL(issuer).host) return;
    reported.add(type);
    emit({ type, peer });
  };
}

function namesSender({ headers }: IncomingRequest): boolean {
  return headers.has("X-Forwarded-For") || headers.has("Forwarded");
}
