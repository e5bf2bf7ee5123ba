import type { JWK } from "jose";
import { cacheLifetime, type CacheLimits, OutboundError } from "../../http/outbound_fetch.ts";
import type { Client } from "../../model/client.ts";
import { readPublicKeys } from "../../protocol/client_key.ts";
import { hasOperatorUrls } from "../../protocol/client_trust.ts";
import { day, hour, minute } from "../../util/time/duration.ts";
import { isTooMany } from "../limits/budget.ts";
import type { Limits } from "../limits/limits.ts";
import { fetchJson, type OutboundDependencies } from "../outbound_requests.ts";
import { fromNow } from "../time.ts";

/** Where the public keys of a client or a trusted issuer are. */
export type KeySource = Pick<Client, "id" | "jwks" | "jwksUri" | "trusted" | "registration">;

export interface ExternalKeysDependencies extends OutboundDependencies {
  now: () => number;
  limits: Pick<Limits, "fetches" | "untrustedFetches">;
}

/** A key set to fetch, and who pays for it. */
export interface KeySetRequest {
  source: KeySource;
  url: string;
  sender: string | undefined;
}

export interface CachedKeySet {
  url: string;
  /** Pending during the fetch, so that concurrent requests of a sender wait for one response. */
  keys: Promise<JWK[]>;
  times: KeySetTimes;
}

/** How current a key set is. Times are in milliseconds. */
interface KeySetTimes {
  fetchedAt: number;
  freshUntil: number;
  /** Until when the keys stay in use while their site cannot be reached. */
  usableUntil: number;
  /** Whether the keys came from their site, rather than from the key set before. */
  isFetched: boolean;
}

/** How long a key set is fresh, in seconds. */
const freshness: CacheLimits = { min: 1 * minute, max: 1 * day, byDefault: 5 * minute };

/** The shortest time between two fetches of a key set, even if signatures name unknown keys. */
export const refetchInterval = 1 * minute;

/**
 * How long a stale key set of the operator's clients and issuers is used while the network fails,
 * in seconds. Other clients get no such time: an attacker must not profit from an outage.
 */
const graceOfOutage = 1 * hour;

/** Starts to fetch a key set. If that fails, the previous one may remain in use. */
export function startFetch(
  dependencies: ExternalKeysDependencies,
  request: KeySetRequest,
  previous: CachedKeySet | undefined,
): CachedKeySet {
  const { now } = dependencies;
  // Until the response arrives. A failure is remembered for as long.
  const freshUntil = fromNow(dependencies, refetchInterval);
  const times = { fetchedAt: now(), freshUntil, usableUntil: freshUntil, isFetched: false };
  const keys = fetchKeys(dependencies, request, times).catch((cause) => {
    // A full queue is no reason to remember a failure of these keys.
    if (isTooMany(cause)) times.freshUntil = now();
    if (!previous || !maySurvive(previous.times, cause, now())) throw cause;
    times.usableUntil = previous.times.usableUntil;
    times.freshUntil = Math.max(
      previous.times.freshUntil,
      Math.min(times.freshUntil, times.usableUntil),
    );
    return previous.keys;
  });
  return { url: request.url, keys, times };
}

/**
 * Whether keys stay in use although fetching them again failed. A signature with an unknown `kid`
 * must not cost the signer the keys that are still fresh. A response, even an error, is final.
 */
function maySurvive(times: KeySetTimes, cause: unknown, now: number): boolean {
  const isUnreached = cause instanceof OutboundError && !cause.isAnswered;
  return times.freshUntil > now || (isUnreached && times.usableUntil > now);
}

/** Fetches keys, and sets how long they are fresh. */
async function fetchKeys(
  dependencies: ExternalKeysDependencies,
  { source, url, sender }: KeySetRequest,
  times: KeySetTimes,
): Promise<JWK[]> {
  const trusted = hasOperatorUrls(source);
  const target = { purpose: "keys", url, trusted, sender };
  const { document, headers } = await fetchJson(dependencies, target);
  times.freshUntil = fromNow(dependencies, cacheLifetime(headers, freshness));
  times.usableUntil = times.freshUntil + (trusted ? graceOfOutage * 1000 : 0);
  times.isFetched = true;
  return readPublicKeys(document);
}
