import { mkdir, rm } from "node:fs/promises";
import { postgresMissing, startPostgres } from "../../tests/support/postgres_server.ts";
import { redisMissing, startRedis } from "../../tests/support/redis_server.ts";

const sqliteFile = ".build/bench/store.db";

/** Starts the server of every store that is found, and returns the addresses of the stores. */
export async function findStores(): Promise<string[]> {
  for (const missing of [postgresMissing, redisMissing]) if (missing) console.log(missing);
  await mkdir(".build/bench", { recursive: true });
  for (const suffix of ["", "-shm", "-wal"]) await rm(sqliteFile + suffix, { force: true });
  return [
    "memory",
    `sqlite:${sqliteFile}`,
    ...postgresMissing ? [] : [(await startPostgres()).url],
    ...redisMissing ? [] : [(await startRedis()).url],
  ];
}
