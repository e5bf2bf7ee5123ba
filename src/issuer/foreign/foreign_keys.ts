import type { JWK } from "jose";
import { cacheLifetime } from "../../http/cache_lifetime.ts";
import type { Client } from "../../protocol/client.ts";
import { hasOperatorUrls } from "../../protocol/client_trust.ts";
import { isObject } from "../../protocol/json.ts";
import { keysThatFit } from "../../protocol/client_key.ts";
import { day, minute } from "../../protocol/duration.ts";
import { type BoundedMap, createBoundedMap } from "../limits/bounded_map.ts";
import type { FetchBudgets } from "../limits/fetch_budgets.ts";
import { isTooMany } from "../limits/too_many.ts";
import type { OutsideNeeds } from "../outside.ts";
import { fetchJson } from "../outside.ts";
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
export interface ForeignKeys {
  /** The keys of somebody with which a signature may have been made. Where they cannot be fetched, that is an OutsideError. */
  find(holder: KeyHolder, search: KeySearch): Promise<JWK[]>;
}

/** A key set that was fetched, or is just being fetched. */
interface Fetched {
  url: string;
  keys: Promise<JWK[]>;
  /** In milliseconds. */
  fetchedAt: number;
  freshUntil: number;
}

const lifetime = { least: 1 * minute, most: 1 * day, byDefault: 5 * minute };
/** An unknown `kid` may mean new keys; more often than this, nobody's assertions make us look. */
const pause = 1 * minute;
/** How long keys are good for where our own limits forbid to fetch them again. */
const usableFor = 1 * day;
const maxHolders = 1000;

/** What `createForeignKeys` works with. */
interface Needs extends OutsideNeeds {
  now: () => number;
  fetchBudgets: FetchBudgets;
}

export function createForeignKeys(needs: Needs): ForeignKeys {
  // Kept apart, so that untrusted clients cannot push out the keys of trusted ones.
  const ofTrusted = createBoundedMap<Fetched>(maxHolders);
  const ofUntrusted = createBoundedMap<Fetched>(maxHolders);
  const keptFor = ({ trusted }: KeyHolder): BoundedMap<Fetched> => trusted ? ofTrusted : ofUntrusted;

  /**
   * Whoever asks meanwhile waits for the same answer; a failure is remembered for the pause as well.
   * What was known before stays good for its time: nobody's unknown `kid` can make anybody lose the keys that they have.
   */
  function fetchAnew(holder: KeyHolder, url: string, before?: Fetched): Fetched {
    const fetched: Fetched = { url, keys: load(), fetchedAt: needs.now(), freshUntil: after(needs, pause) };
    keptFor(holder).set(holder.id, fetched);
    return fetched;

    async function load(): Promise<JWK[]> {
      try {
        const { document, headers } = await fetchJson(needs, { what: "keys", url, trusted: hasOperatorUrls(holder) });
        fetched.freshUntil = after(needs, cacheLifetime(headers, lifetime));
        return keysOf(document);
      } catch (cause) {
        if (!before) throw cause;
        fetched.freshUntil = before.freshUntil;
        return await before.keys;
      }
    }
  }

  /** Fetches keys at the expense of the sender. What is known already is used as it is where that is too much. */
  function fetchWithinLimits(holder: KeyHolder, url: string, sender: string | undefined, known?: Fetched): Fetched {
    const isFresh = known !== undefined && known.freshUntil > needs.now();
    try {
      if (!holder.trusted) needs.fetchBudgets.payForLookup(url, sender);
    } catch (cause) {
      if (known && isTooMany(cause) && needs.now() - known.fetchedAt < usableFor * 1000) return known;
      throw cause;
    }
    return fetchAnew(holder, url, isFresh ? known : undefined);
  }

  function latest(holder: KeyHolder, url: string, sender: string | undefined): Fetched {
    const entry = keptFor(holder).get(holder.id);
    const known = entry?.url === url ? entry : undefined;
    return known && known.freshUntil > needs.now() ? known : fetchWithinLimits(holder, url, sender, known);
  }

  return {
    async find(holder, { sender, ...header }) {
      if (holder.jwksUri === undefined) return keysThatFit(holder.jwks?.keys ?? [], header);
      const known = latest(holder, holder.jwksUri, sender);
      const found = keysThatFit(await known.keys, header);
      if (found.length > 0 || needs.now() - known.fetchedAt < pause * 1000) return found;
      // Somebody else may have looked while this one waited.
      const isLatest = keptFor(holder).get(holder.id) === known;
      const anew = isLatest ? fetchWithinLimits(holder, holder.jwksUri, sender, known) : latest(holder, holder.jwksUri, sender);
      return keysThatFit(await anew.keys, header);
    },
  };
}

/** What came from outside may be anything; whatever is no key fits no signature. */
function keysOf(document: unknown): JWK[] {
  const keys = isObject(document) ? document.keys : undefined;
  return Array.isArray(keys) ? keys.filter(isObject) as unknown as JWK[] : [];
}
