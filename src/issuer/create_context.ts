import { cookieJar } from "../http/cookies.ts";
import type { Metadata } from "../protocol/metadata.ts";
import type { Event } from "../config/events.ts";
import type { Settings } from "../config/settings.ts";
import { createBackground } from "./background.ts";
import { createForeignKeys } from "./foreign/foreign_keys.ts";
import type { Context } from "./context.ts";
import { createDocumentCache } from "./clients/document_cache.ts";
import { createKeys } from "./keys/keys.ts";
import { createPasswordLimit } from "./limits/fair_limit.ts";
import { createDerive } from "./keys/derive.ts";
import { createBudget } from "./limits/budget.ts";
import { createFetchBudgets } from "./limits/fetch_budgets.ts";
import { createRecords, type Records } from "./records/records.ts";
import { createSeal } from "./keys/seal.ts";
import { limitMachineGuesses, limitPersonGuesses } from "./limits/guess_limits.ts";
import { createSharedCounts } from "./limits/shared_counts.ts";
import { randomId } from "./random.ts";
import { createSenderOf } from "./senders.ts";
import { createVerifiedTokens } from "./tokens/verified_tokens.ts";

/** Puts a server's parts together, once. */
export function createContext(settings: Settings, metadata: Metadata): Context {
  const { now } = settings;
  const records = createRecords(settings.store, now);
  const seal = createSeal(settings.secret);
  const emit = (event: Event) => tell(settings, event);
  const fetchBudgets = createFetchBudgets(now, settings.documentsPerMinute);
  return Object.freeze({
    settings,
    metadata,
    metadataText: JSON.stringify(metadata),
    records,
    seal,
    keys: createKeys({ settings, records, seal, now, emit }),
    foreignKeys: createForeignKeys({ settings, now, emit, fetchBudgets }),
    derive: createDerive(settings, records, seal),
    verifiedTokens: createVerifiedTokens(),
    cookies: cookieJar(settings),
    guessLimits: createGuessLimits(settings, records),
    registrations: createBudget(now, settings.registrationsPerMinute),
    fetchBudgets,
    storedBytes: createBudget(now, settings.storedBytesPerMinute),
    documents: createDocumentCache(now),
    passwordLimit: createPasswordLimit(globalThis.navigator?.hardwareConcurrency ?? 1),
    background: createBackground(emit),
    senderOf: createSenderOf(settings.trustedProxies),
    now,
    emit,
  });
}

function createGuessLimits(settings: Settings, records: Records): Context["guessLimits"] {
  const { now, guessesPerMinute: perMinute } = settings;
  const shared = createSharedCounts(records.guessCounts, now, () => randomId({ settings }));
  return {
    passwords: limitPersonGuesses({ now, perMinute, shared }),
    userCodes: limitPersonGuesses({ now, perMinute, shared }),
    clientSecrets: limitMachineGuesses({ now, perMinute }),
  };
}

/** Events tell, they do not decide: a listener that fails changes nothing about a request. */
function tell(settings: Settings, event: Event): void {
  try {
    settings.onEvent(event);
  } catch (cause) {
    console.error("A listener of events failed:", cause);
  }
}
