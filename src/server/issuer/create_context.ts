import {
  type EventRequest,
  ignoreEvents,
  type RequestFacts,
  type ServerEvent,
  type ServerEventListener,
} from "../config/events.ts";
import type { Settings } from "../config/settings.ts";
import { createOriginReader } from "../http/client_address.ts";
import { createCookieJar } from "../http/cookies.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import { parseTraceparent } from "../http/trace_context.ts";
import type { ServerMetadata } from "../model/server_metadata.ts";
import { applyRule, createRuleLog } from "../protocol/rule.ts";
import { senderNetwork } from "../util/addresses/network.ts";
import { parseUrl } from "../util/addresses/uri.ts";
import { randomHex } from "../util/crypto/random_pool.ts";
import { lazily } from "../util/values/memoize.ts";
import { type ActiveFeatures, featuresKey } from "./active_features.ts";
import type { Context, PartOf, RequestContext, RequestObserver } from "./context.ts";
import { createExternalKeys } from "./external/external_keys.ts";
import { plainTexts } from "./keys/cipher.ts";
import { createDerive } from "./keys/derive.ts";
import { createKeys } from "./keys/keys.ts";
import { createEncryptionCheck } from "./keys/secrets_at_rest.ts";
import { createLimits } from "./limits/limits.ts";
import { createBackground, createMaintenance } from "./maintenance.ts";
import { createRecords } from "./records/records.ts";
import type { ServerHooks } from "./server_hooks.ts";

/** Returns the metadata of a server, which may host the documents of clients. */
type DescribeServer = (hostsDocuments: boolean) => ServerMetadata;

export function createContext(
  settings: Settings,
  describe: DescribeServer,
  hooks: ServerHooks,
  features: ActiveFeatures,
): Context {
  const { now } = settings;
  const metadata = createMetadata(settings, describe, hooks);
  const records = createRecords(settings.store, now);
  const limits = createLimits(settings, records);
  const encryption = features.cipher ?? plainTexts;
  const { envelope } = features;
  const emit = (event: ServerEvent) => emitEvent(settings.onEvent, event);
  const ctx: Context = Object.freeze({
    settings,
    metadata: () => metadata().value,
    metadataText: () => metadata().text,
    records,
    keys: {
      ...createKeys({ settings, records, encryption, envelope, now, emit, hooks }),
      external: createExternalKeys({ settings, now, emit, limits }),
      encryption,
      checkEncryption: createEncryptionCheck(records, encryption, now),
      derive: createDerive(settings, records, encryption),
    },
    cookies: createCookieJar(settings),
    readOrigin: createOriginReader(settings.trustedProxies),
    limits,
    partOf: createPartOf(() => ctx, features),
    background: createBackground(emit),
    maintain: () => maintain(),
    hooks,
    now,
    emit,
    note: () => {},
    apply: applyRule,
  });
  const maintain = createMaintenance(ctx);
  return ctx;
}

/** Creates the function that keeps the parts of a server, each by the function that makes it. */
function createPartOf(ctx: () => Context, features: ActiveFeatures): PartOf {
  const parts = new Map<unknown, unknown>([[featuresKey, features]]);
  return <Part>(create: (ctx: Context) => Part) => {
    if (!parts.has(create)) parts.set(create, create(ctx()));
    // The entry of a function is what the function returned.
    return parts.get(create) as Part;
  };
}

/**
 * The metadata is computed when a request needs it, once for each of its two forms, and anew after
 * a change of the configured clients.
 */
function createMetadata(
  settings: Settings,
  describe: DescribeServer,
  { hostedDocuments }: ServerHooks,
): () => { value: ServerMetadata; text: string } {
  const prepare = (hostsDocuments: boolean) =>
    lazily(() => {
      const value = describe(hostsDocuments);
      return { value, text: JSON.stringify(value) };
    });
  const prepareAll = () => ({
    clients: settings.clients.list(),
    plain: prepare(false),
    hosting: prepare(true),
  });
  let prepared = prepareAll();
  return () => {
    if (prepared.clients !== settings.clients.list()) prepared = prepareAll();
    return (hostedDocuments?.size ? prepared.hosting : prepared.plain)();
  };
}

export type CreateRequestContext = (
  request: IncomingRequest,
  observer?: RequestObserver,
) => RequestContext;

export function createRequestContexts(ctx: Context): CreateRequestContext {
  const { settings, readOrigin, now } = ctx;
  return (request, observer) => {
    const facts: RequestFacts = {};
    const origin = readOrigin(request);
    const { address, isForwarded } = origin;
    const network = address && senderNetwork(address);
    const { senderGroup } = request;
    const sender = senderGroup === undefined ? network : `${senderGroup} ${network ?? ""}`;
    // Without a listener or hints, nothing reads which rules were applied.
    if (settings.onEvent === ignoreEvents && !observer && !settings.hints) {
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
      hooks: observer ? { ...ctx.hooks, ...observer } : ctx.hooks,
      request,
      origin,
      sender,
      facts,
      requestId: identity.id,
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
        emitEvent(settings.onEvent, event, described);
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
  { issuer }: Settings,
  emit: (event: ServerEvent) => void,
): (request: RequestContext) => void {
  const reported = new Set<ServerEvent["type"]>();
  return ({ request, origin: { peer, isForwarded } }) => {
    if (peer === undefined) return;
    const type = isForwarded ? "forwarded_header.missing" : "forwarded_header.ignored";
    if (reported.has(type)) return;
    const { headers } = request;
    const namesSender = headers.has("X-Forwarded-For") || headers.has("Forwarded");
    if (isForwarded === namesSender) return;
    // A probe or a command on the machine of the proxy uses another name.
    if (isForwarded && parseUrl(request.url)?.host !== new URL(issuer).host) return;
    reported.add(type);
    emit({ type, peer });
  };
}

/**
 * Calls the listener. Events report and never decide: a listener that fails must not change the
 * outcome of a request.
 */
export function emitEvent(
  onEvent: ServerEventListener,
  event: ServerEvent,
  request?: EventRequest,
): void {
  try {
    onEvent(event, request);
  } catch (cause) {
    console.error("An event listener failed:", cause);
  }
}
