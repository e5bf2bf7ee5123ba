import type { JWK } from "jose";
import { cacheLifetime } from "../../http/cache_lifetime.ts";
import type { Client } from "../../protocol/client.ts";
import { hasOperatorUrls } from "../../protocol/client_trust.ts";
import { isObject } from "../../protocol/json.ts";
import { keysThatFit } from "../../protocol/client_key.ts";
import { day, minute } from "../../protocol/duration.ts";
import { createBoundedMap } from "../limits/bounded_map.ts";
import type { OutsideNeeds } from "../outside.ts";
import { fetchJson } from "../outside.ts";
import { after } from "../time.ts";

/** Whoever signs what is sent here: a client, or an issuer that is trusted. */
export type KeyHolder = Pick<Client, "id" | "jwks" | "jwksUri" | "trusted" | "registration">;

/** The keys of others, wherever they are found. */
export interface ForeignKeys {
  /** The keys of somebody with which a signature may have been made. Where they cannot be fetched, that is an OutsideError. */
  find(holder: KeyHolder, header: { alg: string; kid?: string }): Promise<JWK[]>;
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
const mostHolders = 1000;

export function createForeignKeys(needs: OutsideNeeds & { now: () => number }): ForeignKeys {
  const kept = createBoundedMap<Fetched>(mostHolders);

  /**
   * Whoever asks meanwhile waits for the same answer; a failure is remembered for the pause as well.
   * What was known before stays good for its time: nobody's unknown `kid` can make anybody lose the keys that they have.
   */
  function fetchAnew(holder: KeyHolder, url: string, before?: Fetched): Fetched {
    const fetched: Fetched = { url, keys: load(), fetchedAt: needs.now(), freshUntil: after(needs, pause) };
    kept.set(holder.id, fetched);
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

  function latest(holder: KeyHolder, url: string): Fetched {
    const known = kept.get(holder.id);
    return known?.url === url && known.freshUntil > needs.now() ? known : fetchAnew(holder, url);
  }

  return {
    async find(holder, header) {
      if (holder.jwksUri === undefined) return keysThatFit(holder.jwks?.keys ?? [], header);
      const known = latest(holder, holder.jwksUri);
      const found = keysThatFit(await known.keys, header);
      if (found.length > 0 || needs.now() - known.fetchedAt < pause * 1000) return found;
      // Somebody else may have looked while this one waited.
      const anew = kept.get(holder.id) === known ? fetchAnew(holder, holder.jwksUri, known) : latest(holder, holder.jwksUri);
      return keysThatFit(await anew.keys, header);
    },
  };
}

/** What came from outside may be anything; whatever is no key fits no signature. */
function keysOf(document: unknown): JWK[] {
  const keys = isObject(document) ? document.keys : undefined;
  return Array.isArray(keys) ? keys.filter(isObject) as unknown as JWK[] : [];
}
