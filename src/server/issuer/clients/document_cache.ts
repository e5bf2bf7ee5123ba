import type { Client } from "../../model/client.ts";
import { withIdentityOf } from "../../model/client_identity.ts";
import { messageOf } from "../../util/text/error_message.ts";
import { minute } from "../../util/time/duration.ts";
import { heldBytes, megabyte } from "../../util/values/held_bytes.ts";
import { isTooMany } from "../limits/budget.ts";
import { createFairCache } from "../limits/fair_cache.ts";
import type { FetchPayer } from "../limits/fetch_budgets.ts";
import { createSharedFetches } from "../limits/shared_fetches.ts";
import type { Records } from "../records/records.ts";

/**
 * Clients that were recently read from documents, in the memory of this process: lookups alone must
 * not fill the store.
 */
export interface DocumentCache {
  /** Returns the client as it was last read, however long ago. */
  get(id: string): Client | undefined;
  /**
   * Charges for a document and reads it. Concurrent callers of the same sender share the result,
   * and only the first one pays.
   */
  read(id: string, payer: FetchPayer): Promise<Client>;
  /** Whether reading has just failed, so that the next attempt can wait. */
  hasJustFailed(id: string): boolean;
  /** Returns why reading last failed, for developers of the client. */
  problemOf(id: string): string | undefined;
  delete(id: string): void;
}

/** Reads the client that the document at a URL describes. */
export type ReadDocument = (url: string, payer: FetchPayer) => Promise<Client>;

interface ReadFailure {
  problem: string;
  /** In milliseconds. */
  at: number;
}

const maxClientBytes = 16 * megabyte;
const maxFailureBytes = 1 * megabyte;

/** In milliseconds. Each attempt at a site that does not respond takes seconds. */
const retryAfter = 1 * minute * 1000;

/** Creates an empty cache. */
export function createDocumentCache(now: () => number, readDocument: ReadDocument): DocumentCache {
  const clients = createFairCache<Client>(maxClientBytes);
  const failures = createFairCache<ReadFailure>(maxFailureBytes);
  const readings = createSharedFetches<Promise<Client>>();

  async function attempt(id: string, payer: FetchPayer): Promise<Client> {
    const { sender } = payer;
    try {
      const client = await readDocument(id, payer);
      clients.set(id, client, { bytes: heldBytes(client), sender });
      return client;
    } catch (cause) {
      // Waiting does not help if our own limits refused.
      if (isTooMany(cause)) throw cause;
      const problem = messageOf(cause);
      failures.set(id, { problem, at: now() }, { bytes: heldBytes(problem), sender });
      throw cause;
    }
  }

  return {
    get: (id) => clients.get(id),
    async read(id, payer) {
      const { sender } = payer;
      const pending = readings.find(id, sender);
      if (pending) return await pending;
      try {
        payer.charge(id);
      } catch (cause) {
        return await Promise.any(readings.list(id)).catch(() => {
          throw cause;
        });
      }
      const reading = attempt(id, payer).finally(() => readings.delete(id, sender));
      readings.add(id, sender, reading);
      return await reading;
    },
    hasJustFailed(id) {
      const failure = failures.get(id);
      return failure !== undefined && now() - failure.at < retryAfter;
    },
    problemOf: (id) => failures.get(id)?.problem,
    delete: (id) => clients.delete(id),
  };
}

/**
 * Stores a client with its document for as long as anything issued to it may live. Lookups cannot
 * push it out, and every process that shares the store finds it.
 */
export async function storeClientDocument(
  { clientDocuments }: Records,
  client: Client,
  until: number,
): Promise<void> {
  if (!client.document) return;
  const row = await clientDocuments.get(client.id);
  // Untestable (>= became >): it only saves a write of the same row.
  if (row && row.expiresAt >= until) return;
  const kept = withIdentityOf(client, row?.value ?? client);
  if (row && await clientDocuments.replace(client.id, row, kept, until)) return;
  // The row is missing, or another process has just changed it.
  const latest = row && await clientDocuments.find(client.id);
  await clientDocuments.put(client.id, withIdentityOf(client, latest ?? client), until);
}

/** Replaces a stored document by a newer version. This does not extend its life. */
export async function replaceClientDocument(
  { clientDocuments }: Records,
  client: Client,
): Promise<void> {
  const row = await clientDocuments.get(client.id);
  if (row) await clientDocuments.replace(client.id, row, withIdentityOf(row.value, client));
}
