import { idPrefix, idsEnd, splitId } from "../../issuer/records/row_id.ts";
import type { Table } from "../../issuer/records/table.ts";

/** A row whose id begins with a user and a client. */
export type UserRow<T> = [id: string, value: T];

export type RowsByClient<T> = Map<string, Array<UserRow<T>>>;

/** The number of clients on a page of the list. */
export const clientsPerPage = 50;

/**
 * The maximum number of authorizations read per client. A client gets one with every sign-in, and
 * reading all of them would be expensive.
 */
const maxPerClient = 50;

/**
 * Reads the first rows of each client of a user, until a page of clients is full. Skips the rows of
 * a client beyond `maxPerClient` unread.
 */
export async function rowsByClient<T>(
  table: Table<T>,
  subject: string,
  after?: string,
): Promise<RowsByClient<T>> {
  const byClient: RowsByClient<T> = new Map();
  let last = after;
  do {
    last = await addRows(byClient, table, subject, last);
  } while (last !== undefined);
  return byClient;
}

/** Adds rows until a client or the page is full. Returns the client to continue after, if any. */
async function addRows<T>(
  byClient: RowsByClient<T>,
  table: Table<T>,
  subject: string,
  after: string | undefined,
): Promise<string | undefined> {
  const start = after === undefined ? undefined : idsEnd(subject, after);
  for await (const row of table.each(idPrefix(subject), start)) {
    const [, clientId = ""] = splitId(row[0]);
    const rows = byClient.get(clientId) ?? [];
    if (rows.length === 0 && byClient.size > clientsPerPage) return undefined;
    byClient.set(clientId, [...rows, row]);
    if (rows.length + 1 >= maxPerClient) return clientId;
  }
  return undefined;
}
