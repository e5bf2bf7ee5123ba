import type { JWK } from "jose";
import { cacheLifetime } from "../../http/cache_lifetime.ts";
import type { Client } from "../../model/client.ts";
import { candidateKeys } from "../../protocol/client_key.ts";
import { hasOperatorUrls } from "../../protocol/client_trust.ts";
import { type BoundedMap, createBoundedMap } from "../../util/bounded_map.ts";
import { day, minute } from "../../util/duration.ts";
import { isObject } from "../../util/json.ts";
import type { FetchBudgets } from "../limits/fetch_budgets.ts";
import { isTooMany } from "../limits/too_many.ts";
import { fetchJson, type OutboundDependencies } from "../outbound_requests.ts";
import { after } from "../time.ts";

/** Whoever signs what is sent here: a client, or an issuer that is trusted. */
export type KeyHolder = Pick<Client, "id" | "jwks" | "jwksUri" | "trusted" | "registration">;

/** What the header of a signature says of its key, and who sends it. */
export interface KeySearch {
  alg: string;
  kid?: string;
  /** Is charged for fetching the keys of an untrusted client. */
  sender?: string;
}

/** The keys of others, wherever they are found. */
export interface ExternalKeys {
  /** The keys of somebody with which a signature may have been made. Where they cannot be fetched, that is an OutsideError. */
  find(holder: KeyHolder, search: KeySearch): Promise<JWK[]>;
}

/** A key set that was fetched, or is just being fetched. */
interface FetchedKeys {
  url: string;
  keys: Promise<JWK[]>;
  /** In milliseconds. */
  fetchedAt: number;
  freshUntil: number;
}

const lifetime = { min: 1 * minute, max: 1 * day, byDefault: 5 * minute };
/** An unknown `kid` may mean new keys; more often than this, nobody's assertions make us look. */
const pause = 1 * minute;
/** How long keys are good for where our own limits forbid to fetch them again. */
const usableFor = 1 * day;
const maxHolders = 1000;

/** What `createForeignKeys` works with. */
interface ExternalKeysDependencies extends OutboundDependencies {
  now: () => number;
  fetchBudgets: FetchBudgets;
}

export function createExternalKeys(dependencies: ExternalKeysDependencies): ExternalKeys {
  // Kept apart, so that untrusted clients cannot push out the keys of trusted ones.
  const ofTrusted = createBoundedMap<FetchedKeys>(maxHolders);
  const ofUntrusted = createBoundedMap<FetchedKeys>(maxHolders);
  const keptFor = ({ trusted }: KeyHolder): BoundedMap<FetchedKeys> =>
    trusted ? ofTrusted : ofUntrusted;

  /**
   * Whoever asks meanwhile waits for the same answer; a failure is remembered for the pause as well.
   * What was known before stays good for its time: nobody's unknown `kid` can make anybody lose the keys that they have.
   */
  function fetchAnew(holder: KeyHolder, url: string, before?: FetchedKeys): FetchedKeys {
    const fetched: FetchedKeys = {
      url,
      keys: load(),
      fetchedAt: dependencies.now(),
      freshUntil: after(dependencies, pause),
    };
    keptFor(holder).set(holder.id, fetched);
    return fetched;

    async function load(): Promise<JWK[]> {
      try {
        const { document, headers } = await fetchJson(dependencies, {
          what: "keys",
          url,
          trusted: hasOperatorUrls(holder),
        });
        fetched.freshUntil = after(dependencies, cacheLifetime(headers, lifetime));
        return keysOf(document);
      } catch (cause) {
        if (!before) throw cause;
        fetched.freshUntil = before.freshUntil;
        return await before.keys;
      }
    }
  }

  /** Fetches keys at the expense of the sender. What is known already is used as it is where that is too much. */
  function fetchWithinLimits(
    holder: KeyHolder,
    url: string,
    sender: string | undefined,
    known?: FetchedKeys,
  ): FetchedKeys {
    const isFresh = known !== undefined && known.freshUntil > dependencies.now();
    try {
      if (!holder.trusted) dependencies.fetchBudgets.chargeLookup(url, sender);
    } catch (cause) {
      if (known && isTooMany(cause) && dependencies.now() - known.fetchedAt < usableFor * 1000) {
        return known;
      }
      throw cause;
    }
    return fetchAnew(holder, url, isFresh ? known : undefined);
  }

  function latest(holder: KeyHolder, url: string, sender: string | undefined): FetchedKeys {
    const entry = keptFor(holder).get(holder.id);
    const known = entry?.url === url ? entry : undefined;
    return known && known.freshUntil > dependencies.now()
      ? known
      : fetchWithinLimits(holder, url, sender, known);
  }

  return {
    async find(holder, { sender, ...header }) {
      if (holder.jwksUri === undefined) return candidateKeys(holder.jwks?.keys ?? [], header);
      const known = latest(holder, holder.jwksUri, sender);
      const found = candidateKeys(await known.keys, header);
      if (found.length > 0 || dependencies.now() - known.fetchedAt < pause * 1000) return found;
      // Somebody else may have looked while this one waited.
      const isLatest = keptFor(holder).get(holder.id) === known;
      const anew = isLatest
        ? fetchWithinLimits(holder, holder.jwksUri, sender, known)
        : latest(holder, holder.jwksUri, sender);
      return candidateKeys(await anew.keys, header);
    },
  };
}

/** What came from outside may be anything; whatever is no key fits no signature. */
function keysOf(document: unknown): JWK[] {
  const keys = isObject(document) ? document.keys : undefined;
  return Array.isArray(keys) ? keys.filter(isObject) as unknown as JWK[] : [];
}
