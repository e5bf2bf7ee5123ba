import type { ServerEvent } from "../config/events.ts";
import type { Settings } from "../config/settings.ts";
import { createOriginReader } from "../http/client_address.ts";
import { createCookieJar } from "../http/cookies.ts";
import type { ServerMetadata } from "../model/server_metadata.ts";
import { applyRule } from "../protocol/rule.ts";
import { lazily } from "../util/values/memoize.ts";
import { type ActiveFeatures, activeFeatures } from "./active_features.ts";
import type { Context, PartOf } from "./context.ts";
import { emitEvent } from "./emit_event.ts";
import { createExternalKeys } from "./external/external_keys.ts";
import { plainTexts } from "./keys/cipher.ts";
import { createDerive } from "./keys/derive.ts";
import { createKeys } from "./keys/keys.ts";
import { createLimits } from "./limits/limits.ts";
import { createBackground, createMaintenance } from "./maintenance.ts";
import { createRecords } from "./records/records.ts";
import type { ServerHooks } from "./server_hooks.ts";

/** Returns the metadata of a server, which may host the documents of clients. */
type DescribeServer = (hostsDocuments: boolean) => ServerMetadata;

/** Creates the parts of a server. */
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
  const emit = (event: ServerEvent) => emitEvent(settings, event);
  const ctx: Context = Object.freeze({
    settings,
    metadata: () => metadata().value,
    metadataText: () => metadata().text,
    records,
    keys: {
      ...createKeys({ settings, records, encryption, envelope, now, emit, ...hooks }),
      external: createExternalKeys({ settings, now, emit, limits }),
      encryption,
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
  const parts = new Map<unknown, unknown>([[activeFeatures, features]]);
  return <Part>(create: (ctx: Context) => Part) => {
    if (!parts.has(create)) parts.set(create, create(ctx()));
    // The entry of a function is what the function returned.
    return parts.get(create) as Part;
  };
}

/**
 * The metadata is computed when a request needs it, once for each of its two forms, and anew after a
 * change of the configured clients.
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
    clients: settings.configuredClients(),
    plain: prepare(false),
    hosting: prepare(true),
  });
  let prepared = prepareAll();
  return () => {
    if (prepared.clients !== settings.configuredClients()) prepared = prepareAll();
    return (hostedDocuments?.size ? prepared.hosting : prepared.plain)();
  };
}
