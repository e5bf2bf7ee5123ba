// A process whose disk is slow, and fails while a file exists: prints what its SQLite store shows.
import { rmSync, writeFileSync } from "node:fs";
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { sqliteStore } from "../../../src/server/store/sqlite.ts";

const [path = "", failing = ""] = process.argv.slice(-2);
const store = sqliteStore(path);
const row = { value: 1, expiresAt: 8.64e15 };
const outcome = async (call: Promise<unknown>) =>
  await call.then(() => "done", (cause) => `${cause.message}`);

await store.put("a", "first", row);

const start = performance.now();
let isAcknowledged = false;
const writing = store.put("a", "slow", row).then(() => void (isAcknowledged = true));
let reads = 0;
let seenAfter: number | undefined;
while (!isAcknowledged) {
  if (await store.get("a", "slow")) seenAfter ??= performance.now() - start;
  reads++;
  await setImmediate();
}
await writing;
const isSeen = await store.get("a", "slow") !== undefined;

writeFileSync(failing, "");
const failed = await Promise.all(["b", "c"].map((id) => outcome(store.put("a", id, row))));
const isLost = await store.get("a", "b") === undefined;
const unready = [await outcome(store.check!()), await outcome(store.check!())];
rmSync(failing);
const ready = [await outcome(store.check!()), await outcome(store.put("a", "b", row))];
console.log(JSON.stringify({ reads, seenAfter, isSeen, failed, isLost, unready, ready }));
await store.close();
