import type { Row, Store } from "../../store/store.ts";
import { prefixEnd } from "./row_id.ts";
import { orUnavailable } from "./unavailable.ts";

const rowsPerPage = 100;

/** A row with the id under which it is stored. */
export type ListedRow = [id: string, row: Row];

/** Yields the rows whose ids begin with a prefix and come after a text, a page at a time. */
export async function* pagesOf(
  store: Store,
  kind: string,
  prefix: string,
  start: string,
): AsyncGenerator<ListedRow[]> {
  const before = prefix === "" ? undefined : prefixEnd(prefix);
  let after = start === "" ? undefined : start;
  while (true) {
    const page = await orUnavailable(store.list(kind, { after, before, limit: rowsPerPage }));
    yield page;
    const last = page.at(-1);
    if (!last || page.length < rowsPerPage) return;
    after = last[0];
    await nextTurn();
  }
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
