import type { Client } from "../../model/client.ts";
import { createBoundedMap } from "../../util/bounded_map.ts";
import { minute } from "../../util/duration.ts";
import { messageOf } from "../../util/error_message.ts";
import { isTooMany } from "../limits/too_many.ts";

/** Clients that were read from documents lately, in this process only: mere lookups must not fill the store. */
export interface DocumentCache {
  /** The client as it was read last, however long ago. */
  get(id: string): Client | undefined;
  /** Pays for reading a document and reads it; everyone who asks meanwhile shares the result, and pays nothing. */
  read(id: string, pay: () => void, read: () => Promise<Client>): Promise<Client>;
  /** Whether reading failed a moment ago, so that the next attempt can wait. */
  hasJustFailed(id: string): boolean;
  /** Why reading failed last, for developers of the client. */
  problemOf(id: string): string | undefined;
  delete(id: string): void;
}

const maxEntries = 1000;
/** Each attempt at a site that does not respond takes seconds. */
const pause = 1 * minute;

export function createDocumentCache(now: () => number): DocumentCache {
  const clients = createBoundedMap<Client>(maxEntries);
  const failures = createBoundedMap<{ problem: string; at: number }>(maxEntries);
  const underway = new Map<string, Promise<Client>>();

  async function attempt(id: string, read: () => Promise<Client>): Promise<Client> {
    try {
      const client = await read();
      clients.set(id, client);
      return client;
    } catch (cause) {
      // What our own limits forbid, no pause would make better.
      if (!isTooMany(cause)) failures.set(id, { problem: messageOf(cause), at: now() });
      throw cause;
    } finally {
      underway.delete(id);
    }
  }

  return {
    get: (id) => clients.get(id),
    async read(id, pay, read) {
      const pending = underway.get(id);
      if (pending) return await pending;
      pay();
      const begun = attempt(id, read);
      underway.set(id, begun);
      return await begun;
    },
    hasJustFailed(id) {
      const failure = failures.get(id);
      return failure !== undefined && now() - failure.at < pause * 1000;
    },
    problemOf: (id) => failures.get(id)?.problem,
    delete: (id) => clients.delete(id),
  };
}
