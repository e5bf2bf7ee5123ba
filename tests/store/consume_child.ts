// One of several processes that compete for the same rows: prints the ones it consumed and added.
import process from "node:process";
import { sqliteStore } from "../../src/server/store/sqlite.ts";

const [path = "", count] = process.argv.slice(-2);
const store = sqliteStore(path);
const ids = Array.from({ length: Number(count) }, (_, n) => `${n}`);
const consumed = await Promise.all(ids.map((id) => store.consume("code", id, 1, 8.64e15)));
const added = await Promise.all(
  ids.map((id) => store.add("jti", id, { value: process.pid, expiresAt: 8.64e15 })),
);
console.log(
  JSON.stringify({
    consumed: ids.filter((_, n) => consumed[n]),
    added: ids.filter((_, n) => added[n]),
  }),
);
await store.close();
