import { serverPart } from "../../issuer/context.ts";
import { isTooMany } from "../../issuer/limits/budget.ts";
import { createFairCache } from "../../issuer/limits/fair_cache.ts";
import type { FetchPayer } from "../../issuer/limits/fetch_budgets.ts";
import { createSharedFetches, fetchShared } from "../../issuer/limits/shared_fetches.ts";
import type { Client } from "../../model/client.ts";
import { messageOf } from "../../util/text/error_message.ts";
import { minute } from "../../util/time/duration.ts";
import { heldBytes, megabyte } from "../../util/values/bounded_map.ts";

const maxClientBytes = 16 * megabyte;
const maxFailureBytes = 1 * megabyte;

/** In milliseconds. Each attempt at a site that does not respond takes seconds. */
const retryAfter = 1 * minute * 1000;

export const documentCache = serverPart((ctx) =>
  createDocumentCache(ctx.now, async (url, payer) => {
    const { readClientDocument } = await import("./read_client_document.ts");
    return await readClientDocument(ctx, url, payer);
  })
);

/**
 * Holds clients that were recently read from documents, in the memory of this process: lookups alone
 * must not fill the store.
 */
export function createDocumentCache(
  now: () => number,
  readDocument: (url: string, payer: FetchPayer) => Promise<Client>,
) {
  const clients = createFairCache<Client>(maxClientBytes);
  const failures = createFairCache<{
    problem: string;
    /** In milliseconds. */
    at: number;
  }>(maxFailureBytes);
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
    /** Returns the client as it was last read, however long ago. */
    get: (id: string) => clients.get(id),
    /**
     * Charges for a document and reads it. Concurrent callers of the same sender share the result,
     * and only the first one pays.
     */
    read: (id: string, payer: FetchPayer): Promise<Client> =>
      fetchShared(
        readings,
        [id, payer.sender],
        () => payer.charge(id),
        () => attempt(id, payer),
      ),
    /** Whether reading has just failed, so that the next attempt can wait. */
    hasJustFailed(id: string): boolean {
      const failure = failures.get(id);
      return failure !== undefined && now() - failure.at < retryAfter;
    },
    /** Returns why reading last failed, for developers of the client. */
    problemOf: (id: string) => failures.get(id)?.problem,
    delete: (id: string) => clients.delete(id),
  };
}
