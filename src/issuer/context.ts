import type { ServerEvent } from "../config/events.ts";
import type { Settings } from "../config/settings.ts";
import type { CookieJar } from "../http/cookies.ts";
import type { EndpointField, ServerMetadata } from "../model/server_metadata.ts";
import type { Background } from "./background.ts";
import type { DocumentCache } from "./clients/document_cache.ts";
import type { ExternalKeys } from "./external/external_keys.ts";
import type { DeriveSecret } from "./keys/derive.ts";
import type { EncryptionAtRest } from "./keys/encryption_at_rest.ts";
import type { Keys } from "./keys/keys.ts";
import type { Budget } from "./limits/budget.ts";
import type { FairLimit } from "./limits/fair_limit.ts";
import type { FetchBudgets } from "./limits/fetch_budgets.ts";
import type { GuessLimits } from "./limits/guess_limits.ts";
import type { Records } from "./records/records.ts";
import type { VerifiedTokens } from "./tokens/verified_tokens.ts";
import type { AddressOf } from "./trusted_proxies.ts";

/** What every part of a running server works with. Made once, and frozen; what belongs to one request is a local variable. */
export interface Context {
  readonly settings: Settings;
  readonly metadata: ServerMetadata;
  /** The same as it is sent. */
  readonly metadataText: string;
  readonly records: Records;
  readonly encryption: EncryptionAtRest;
  readonly keys: Keys;
  readonly externalKeys: ExternalKeys;
  readonly derive: DeriveSecret;
  readonly verifiedTokens: VerifiedTokens;
  readonly cookies: CookieJar;
  /** What may be guessed, and how often. Nothing else is short enough for guessing. */
  readonly guessLimits: Readonly<Record<"passwords" | "userCodes" | "clientSecrets", GuessLimits>>;
  /** By the network of the sender. */
  readonly registrations: Budget;
  readonly fetchBudgets: FetchBudgets;
  /** What unauthenticated requests make us store, by the network of the sender; in characters of JSON. */
  readonly storedBytes: Budget;
  readonly documents: DocumentCache;
  /** Checks a few passwords at a time: each one takes a fifth of a second of a core. */
  readonly passwordLimit: FairLimit;
  readonly background: Background;
  readonly addressOf: AddressOf;
  /** In milliseconds. */
  readonly now: () => number;
  readonly emit: (event: ServerEvent) => void;
}

/** The URL of one of the server's endpoints, as clients are told it. */
export function endpointUrl(ctx: Context, field: EndpointField): string {
  return ctx.metadata[field]!;
}

/** The same for somebody at a browser, or at the terminal beside it. */
export function browserEndpointUrl(ctx: Context, field: EndpointField): string {
  return `${new URL(ctx.settings.frontChannelUrl).origin}${
    new URL(endpointUrl(ctx, field)).pathname
  }`;
}

/** The same by every address of the server; nothing but the origin differs. */
export function endpointUrls(ctx: Context, field: EndpointField): string[] {
  const { pathname } = new URL(endpointUrl(ctx, field));
  return ctx.settings.addresses.map((address) => `${new URL(address).origin}${pathname}`);
}
