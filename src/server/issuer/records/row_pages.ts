import type { ListOptions, Row, Store } from "../../store/store.ts";
import { prefixEnd } from "./row_id.ts";
import { orUnavailable } from "./unavailable.ts";

const rowsPerPage = 100;

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

// What a generator reaches as a closure, V8 keeps until the next full collection. A test suite opens
// many servers, so none of these is a closure.

/** Yields the rows whose ids begin with a prefix and come after a text, a page at a time. */
export async function* pagesOf(
  store: Store,
  kind: string,
  prefix: string,
  start: string,
): AsyncGenerator<ListedRow[]> {
  for (let next: string | undefined = start;; await nextTurn()) {
    const options = pageOf(prefix, next);
    const page: ListedRow[] = await orUnavailable(() => store.list(kind, options));
    yield page;
    next = endOf(page);
    if (next === undefined) return;
  }
}

/** Yields pages with what becomes of each of their entries. */
export async function* mapPages<From, To>(
  pages: AsyncIterable<From[]>,
  map: (entry: From) => To[],
): AsyncGenerator<To[]> {
  for await (const page of pages) yield page.flatMap(map);
}

/** Yields the entries of some pages one by one. */
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
