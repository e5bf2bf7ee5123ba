import type { Client } from "../../protocol/client.ts";
import { day } from "../../protocol/duration.ts";
import { messageOf } from "../../protocol/message_of.ts";
import { createBoundedMap } from "../limits/bounded_map.ts";

/** The clients that were read from documents lately. They are kept in this process alone: what strangers point to must not fill the store. */
export interface DocumentCache {
  /** The client as it was read lately, or as it is read now; whoever asks meanwhile shares that. A failure is not kept. */
  find(id: string, read: () => Promise<Dated>): Promise<Client>;
  /** Why the last attempt failed, for whoever is developing the client. */
  problemOf(id: string): string | undefined;
}

/** A client, and for how many seconds its document may be kept. */
export interface Dated {
  client: Client;
  seconds: number;
}

/** In milliseconds. */
interface Kept {
  client: Client;
  freshUntil: number;
  usableUntil: number;
}

const mostKept = 1000;
/** Where a document cannot be read again, it holds for so long after it was read: a site that is down must not end everybody's sessions. */
const usableFor = 1 * day;

export function createDocumentCache(now: () => number): DocumentCache {
  const kept = createBoundedMap<Kept>(mostKept);
  const underway = new Map<string, Promise<Client>>();
  const problems = createBoundedMap<string>(mostKept);

  async function readAnew(id: string, read: () => Promise<Dated>): Promise<Client> {
    const { client, seconds } = await read();
    kept.set(id, { client, freshUntil: now() + seconds * 1000, usableUntil: now() + usableFor * 1000 });
    return client;
  }

  return {
    problemOf: (id) => problems.get(id),
    async find(id, read) {
      const known = kept.get(id);
      if (known && known.freshUntil > now()) return known.client;
      const pending = underway.get(id) ?? readAnew(id, read).finally(() => underway.delete(id));
      underway.set(id, pending);
      try {
        return await pending;
      } catch (cause) {
        problems.set(id, messageOf(cause));
        if (known && known.usableUntil > now()) return known.client;
        throw cause;
      }
    },
  };
}
