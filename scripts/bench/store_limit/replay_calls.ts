/**
 * Repeats recorded calls on a store and does nothing else, on any runtime. Prints how often the
 * operation fits into a second.
 *
 *   node replay_calls.mjs STORE FILE COUNT
 */
import { readFile } from "node:fs/promises";
import process from "node:process";
import { openStore } from "../../../src/program/operate/open_store.ts";
import type { CallGroup, StoreCall } from "./recorded_calls.ts";

const workers = 16;
const [address = "", file = "", count = ""] = process.argv.slice(2);
const groups: CallGroup[] = JSON.parse(await readFile(file, "utf8"));
const operations = Number(count);

const store = await openStore(address, { isRealTime: true });
await replayAll("warm-up");
const start = performance.now();
await replayAll("measured");
const elapsed = performance.now() - start;
await store.close();
console.log(JSON.stringify({ perSecond: operations / (elapsed / 1000) }));
process.exit(0);

/** Replays the operation many times, some at once, each with rows of its own. */
async function replayAll(name: string): Promise<void> {
  let started = 0;
  await Promise.all(Array.from({ length: workers }, async () => {
    while (started < operations) {
      const suffix = `.${process.pid}.${name}.${started++}`;
      for (const group of groups) {
        await Promise.all(group.map((call) => replay(call, suffix)));
      }
    }
  }));
}

/** Makes a call with an id of its own. A list has no id. */
function replay({ method, args }: StoreCall, suffix: string): Promise<unknown> {
  const [kind, id, ...rest] = args;
  const own = typeof id === "string" ? id + suffix : id;
  const call = store[method] as (...args: unknown[]) => Promise<unknown>;
  return call(kind, own, ...rest);
}
