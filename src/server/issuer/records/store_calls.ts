import { OAuthError } from "../../protocol/oauth_error.ts";
import { makeCall, makeCalls } from "../../store/batch.ts";
import {
  type BatchedCall,
  type BatchedResult,
  type ListOptions,
  maxIdBytes,
  type Row,
  type Store,
} from "../../store/store.ts";
import { UnreadableStoreError } from "../../store/store_errors.ts";
import { encodeUtf8 } from "../../util/bytes/encoding.ts";
import { allOf, isPromise } from "../../util/time/promises.ts";
import { prefixEnd } from "./row_id.ts";

const rowsPerPage = 100;

/** A deferred store call. */
export interface TableCall<Result> {
  /**
   * The call of the store, whose id is a promise only where hashing takes one: a wait for each call
   * would cost more than most calls of a store in memory.
   */
  call: Awaitable<BatchedCall>;
  resultOf(stored: BatchedResult): Result | Promise<Result>;
}

type Awaitable<Call> = { [At in keyof Call]: Call[At] | Promise<Call[At]> };

function isReady(call: Awaitable<BatchedCall>): call is BatchedCall {
  return !isPromise(call[2]);
}

/** The results of calls, in their order. */
export type TableResults<Calls extends readonly TableCall<unknown>[]> = {
  -readonly [At in keyof Calls]: Calls[At] extends TableCall<infer Result> ? Result : never;
};

/**
 * Makes calls of tables, in one round trip if the store can. They run in their order, but reads
 * that follow each other may run together, and so may rows that are written.
 */
export type Batch = <Calls extends readonly TableCall<unknown>[]>(
  ...calls: Calls
) => Promise<TableResults<Calls>>;

/** Returns the same call with a result that is computed from its own. */
export function mapCall<From, To>(call: TableCall<From>, map: (result: From) => To): TableCall<To> {
  return {
    ...call,
    resultOf(stored) {
      const result = call.resultOf(stored);
      return isPromise(result) ? result.then(map) : map(result);
    },
  };
}

/** Rows to write, and what decides after them whether they count. */
export interface RowsToWrite {
  rows: ReadonlyArray<TableCall<unknown>>;
  /** The mark of a first use, or a check, which comes last in the same round trip. */
  last?: TableCall<boolean> | undefined;
}

export function createBatch(store: Store): Batch {
  return async <Calls extends readonly TableCall<unknown>[]>(...calls: Calls) => {
    const possible: Array<BatchedCall | undefined> = [];
    for (const { call } of calls) {
      possible.push(possibleCall(isReady(call) ? call : await allOf(call)));
    }
    const made = possible.filter((call) => call !== undefined);
    let stored: BatchedResult[];
    try {
      stored = await makeCalls(store, made);
    } catch (cause) {
      throw orUnreadable(cause);
    }
    let next = 0;
    const results = calls.map(({ resultOf }, at) => resultOf(possible[at] && stored[next++]));
    // Each call of the list has its result at the same place.
    return allOf(results) as TableResults<Calls>;
  };
}

export function createWrite(batch: Batch): (rows: RowsToWrite) => Promise<boolean> {
  return async ({ rows, last }) => {
    const results = await batch(...rows, ...last ? [last] : []);
    return !last || results[rows.length] === true;
  };
}

export async function makeTableCall<Result>(
  store: Store,
  { call, resultOf }: TableCall<Result>,
): Promise<Result> {
  const made = possibleCall(isReady(call) ? call : await allOf(call));
  let stored: BatchedResult;
  try {
    stored = made && await makeCall(store, made);
  } catch (cause) {
    throw orUnreadable(cause);
  }
  return resultOf(stored);
}

/** Returns a call, unless its id is too long for any row: then no row is found or written. */
function possibleCall(call: BatchedCall): BatchedCall | undefined {
  if (call[0] === "list") return call;
  const id = call[2];
  // No character has more than three bytes for each of its code units.
  const isTooLong = id.length * 3 > maxIdBytes && encodeUtf8(id).length > maxIdBytes;
  if (!isTooLong) return call;
  if (call[0] === "get") return undefined;
  const problem = `The request names something with more than ${maxIdBytes} bytes.`;
  throw new OAuthError("invalid_request", problem);
}

/** Calls a store. If it fails, perhaps before it returns a promise, no success is reported. */
export async function orUnavailable<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw orUnreadable(cause);
  }
}

/** If the store is damaged, another try does not help. */
function orUnreadable(cause: unknown): Error {
  return cause instanceof UnreadableStoreError ? cause : unavailable(cause);
}

/** Creates the error of a server that cannot use its store for now. */
export function unavailable(cause: unknown): OAuthError {
  const problem = "The server cannot reach its storage; try again in a moment.";
  return new OAuthError("temporarily_unavailable", problem, {
    headers: { "Retry-After": "5" },
    cause,
  });
}

/** A row with the id under which it is stored. */
export type ListedRow = [id: string, row: Row];

/** Returns which rows a page has: those whose ids begin with a prefix and come after a text. */
export function pageOf(prefix: string, start: string): ListOptions {
  return {
    after: start === "" ? undefined : start,
    before: prefix === "" ? undefined : prefixEnd(prefix),
    limit: rowsPerPage,
  };
}

/** Returns where the next page begins; undefined after the last page. */
export function endOf(page: readonly ListedRow[]): string | undefined {
  return page.length < rowsPerPage ? undefined : page.at(-1)?.[0];
}

// V8 keeps what a generator closes over until the next full collection. A test suite opens many
// servers, so none of these generators is a closure.

/**
 * Yields what is read of the rows whose ids begin with a prefix and come after a text, a page at a
 * time.
 */
export async function* pagesOf<T>(
  store: Store,
  kind: string,
  { prefix, start }: { prefix: string; start: string },
  read: (row: ListedRow) => T[],
): AsyncGenerator<T[]> {
  for (let next: string | undefined = start;; await nextTurn()) {
    const options = pageOf(prefix, next);
    const page: ListedRow[] = await orUnavailable(() => store.list(kind, options));
    yield page.flatMap(read);
    next = endOf(page);
    if (next === undefined) return;
  }
}

export async function* entriesOf<T>(pages: AsyncIterable<T[]>): AsyncGenerator<T> {
  for await (const page of pages) yield* page;
}

/** Lets waiting requests run. It uses a message and not a timer, because tests stop the clock. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
