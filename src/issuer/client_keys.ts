import type { JWK } from "jose";
import { cacheLifetime } from "../http/cache_lifetime.ts";
import type { Client } from "../protocol/client.ts";
import { keysThatFit } from "../protocol/client_key.ts";
import { day, minute } from "../config/duration.ts";
import type { Surroundings } from "./outside.ts";
import { fetchJson } from "./outside.ts";
import { after } from "./time.ts";

/** The keys of clients, wherever they are found. */
export interface ClientKeys {
  /** The keys of a client with which a signature may have been made. Where they cannot be fetched, that is an OutsideError. */
  find(client: Client, header: { alg: string; kid?: string }): Promise<JWK[]>;
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
/** Clients may be strangers: what they make us remember is bounded. */
const mostClients = 1000;

export function createClientKeys(needs: Surroundings & { now: () => number }): ClientKeys {
  const kept = new Map<string, Fetched>();

  /** Whoever asks meanwhile waits for the same answer; a failure is remembered for the pause as well. */
  function fetchAnew({ id, trusted }: Client, url: string): Fetched {
    const fetched: Fetched = { url, keys: load(), fetchedAt: needs.now(), freshUntil: after(needs, pause) };
    kept.delete(id);
    kept.set(id, fetched);
    if (kept.size > mostClients) kept.delete(kept.keys().next().value!);
    return fetched;

    async function load(): Promise<JWK[]> {
      const { document, headers } = await fetchJson(needs, { what: "keys", url, trusted });
      fetched.freshUntil = after(needs, cacheLifetime(headers, lifetime));
      return keysOf(document);
    }
  }

  function latest(client: Client, url: string): Fetched {
    const known = kept.get(client.id);
    return known?.url === url && known.freshUntil > needs.now() ? known : fetchAnew(client, url);
  }

  return {
    async find(client, header) {
      if (client.jwksUri === undefined) return keysThatFit(client.jwks?.keys ?? [], header);
      const { keys, fetchedAt } = latest(client, client.jwksUri);
      const found = keysThatFit(await keys, header);
      const mayLookAgain = needs.now() - fetchedAt >= pause * 1000;
      return found.length > 0 || !mayLookAgain ? found : keysThatFit(await fetchAnew(client, client.jwksUri).keys, header);
    },
  };
}

/** What came from outside may be anything; whatever is no key fits no signature. */
function keysOf(document: unknown): JWK[] {
  const keys = isObject(document) ? document.keys : undefined;
  return Array.isArray(keys) ? keys.filter(isObject) as JWK[] : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
