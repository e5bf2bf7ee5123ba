import type { ServerEvent } from "../config/events.ts";
import type { Settings } from "../config/settings.ts";
import { createOriginReader } from "../http/client_address.ts";
import { createCookieJar } from "../http/cookies.ts";
import type { ServerMetadata } from "../model/server_metadata.ts";
import { applyRule } from "../protocol/rule.ts";
import { createBoundedMap, megabyte } from "../util/values/bounded_map.ts";
import { lazily } from "../util/values/memoize.ts";
import { type Context, createPartOf, type FeatureAnswers, type VerifiedToken } from "./context.ts";
import { emitEvent } from "./emit_event.ts";
import { createExternalKeys } from "./external/external_keys.ts";
import { plainTexts } from "./keys/cipher.ts";
import { createDerive } from "./keys/derive.ts";
import { createKeys } from "./keys/keys.ts";
import { createBudget } from "./limits/budget.ts";
import { createPasswordLimit, createUntrustedFetchLimit } from "./limits/fair_limit.ts";
import { createFetchBudgets } from "./limits/fetch_budgets.ts";
import { createSharedCounts, limitClientGuesses, limitUserGuesses } from "./limits/guess_limits.ts";
import { createBackground, createMaintenance } from "./maintenance.ts";
import { randomId } from "./random.ts";
import { createRecords, type Records } from "./records/records.ts";
import type { WrapperAnswers } from "./wrapper_answers.ts";

const maxVerifiedBytes = 16 * megabyte;

/** Returns the metadata of a server, which may host the documents of clients. */
type DescribeServer = (hostsDocuments: boolean) => ServerMetadata;

/** The metadata, and the same as the body of a response. */
interface PreparedMetadata {
  value: ServerMetadata;
  text: string;
}

/** Creates the parts of a server. */
export function createContext(
  settings: Settings,
  describe: DescribeServer,
  answers: WrapperAnswers,
  features: FeatureAnswers,
): Context {
  const { now } = settings;
  const metadata = createMetadata(settings, describe, answers);
  const records = createRecords(settings.store, now);
  const encryption = features.cipher ?? plainTexts;
  const emit = (event: ServerEvent) => emitEvent(settings, event);
  const fetchBudgets = createFetchBudgets(now, settings.documentsPerMinute);
  const untrustedFetches = createUntrustedFetchLimit();
  const ctx: Context = Object.freeze({
    settings,
    metadata: () => metadata().value,
    metadataText: () => metadata().text,
    records,
    encryption,
    keys: createKeys({
      ...{ settings, records, encryption, envelope: features.envelope, now, emit, ...answers },
    }),
    externalKeys: createExternalKeys({ settings, now, emit, fetchBudgets, untrustedFetches }),
    derive: createDerive(settings, records, encryption),
    verifiedTokens: createBoundedMap<VerifiedToken>(maxVerifiedBytes),
    cookies: createCookieJar(settings),
    ...createGuessLimits(settings, records),
    features,
    partOf: createPartOf(() => ctx),
    fetchBudgets,
    untrustedFetches,
    storedBytes: createBudget(now, settings.storedBytesPerMinute),
    passwordLimit: createPasswordLimit(globalThis.navigator?.hardwareConcurrency ?? 1),
    background: createBackground(emit),
    maintain: () => maintain(),
    readOrigin: createOriginReader(settings.trustedProxies),
    ...answers,
    now,
    emit,
    note: () => {},
    apply: applyRule,
  });
  const maintain = createMaintenance(ctx);
  return ctx;
}

/**
 * The metadata is computed when a request needs it, once for each of its two forms, and anew after a
 * change of the configured clients.
 */
function createMetadata(
  settings: Settings,
  describe: DescribeServer,
  { hostedDocuments }: WrapperAnswers,
): () => PreparedMetadata {
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

function createGuessLimits(
  settings: Settings,
  records: Records,
): Pick<Context, "guessLimits" | "limitUserGuesses"> {
  const { now, guessesPerMinute: perMinute } = settings;
  const shared = createSharedCounts(records.guessCounts, now, () => randomId({ settings }));
  const ofUsers = () => limitUserGuesses({ now, perMinute, shared });
  const clientSecrets = limitClientGuesses({ now, perMinute });
  return { limitUserGuesses: ofUsers, guessLimits: { passwords: ofUsers(), clientSecrets } };
}
