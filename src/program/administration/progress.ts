import type { Store } from "../../server/store/store.ts";
import { second } from "../../server/util/time/duration.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** How often a command reports that it still works, in milliseconds. */
const interval = 2 * second * 1000;

/** Whether a command prints rows as it reads them. At a terminal, they are its progress. */
const printsRows = /(list|export|log)$/;

/** Reports at the terminal how many rows a command has read and written, unless it is quick. */
export function reportProgress(
  store: Store,
  { command }: { command: string },
  { isInteractive, printError, prompt }: Terminal,
): { store: Store; stop: () => void } {
  if (!prompt || isInteractive && printsRows.test(command)) return { store, stop: () => {} };
  let rows = 0;
  const report = () => printError(`${command}: ${rows.toLocaleString("en")} rows so far`);
  const timer = setInterval(report, interval);
  const count = <T>(result: T): T => {
    rows += Array.isArray(result) ? result.length : 1;
    return result;
  };
  const { batch } = store;
  const reported: Store = {
    ...store,
    get: async (...args) => count(await store.get(...args)),
    put: async (...args) => count(await store.put(...args)),
    list: async (...args) => count(await store.list(...args)),
    ...batch && {
      async batch(calls) {
        const results = await batch(calls);
        results.forEach(count);
        return results;
      },
    },
  };
  return { store: reported, stop: () => clearInterval(timer) };
}
