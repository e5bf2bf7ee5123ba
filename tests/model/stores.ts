import { withBatch } from "../../src/server/store/batch.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { postgresStore } from "../../src/server/store/postgres.ts";
import { redisStore } from "../../src/server/store/redis.ts";
import type { Store } from "../../src/server/store/store.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { redisMissing, startRedis } from "../support/redis_server.ts";
import { openFileStore } from "../support/sqlite_file.ts";

/** A store that the schedules are run on. */
export interface ModelStore {
  name: string;
  /** Why it cannot be used here, or false. */
  missing: string | false;
  /** Opens an empty store. */
  open(): Promise<Store>;
}

/** Every store. One that is added here is tried with the sampled schedules of all operations. */
export const modelStores: readonly ModelStore[] = [
  { name: "memory", missing: false, open: async () => memoryStore() },
  { name: "SQLite", missing: false, open: openFileStore },
  {
    name: "Redis",
    missing: redisMissing,
    open: async () => await redisStore((await startRedis()).url),
  },
  {
    name: "PostgreSQL",
    missing: postgresMissing,
    open: async () => await postgresStore((await startPostgres()).url),
  },
];

/**
 * Returns a function that opens a store again and again, empty each time: closing it deletes the
 * rows that were written, and no more.
 */
export function reopen(store: Store): () => Store {
  return () => {
    const written = new Map<string, [kind: string, id: string]>();
    const note = (kind: string, id: string) => void written.set(`${kind} ${id}`, [kind, id]);
    const noting =
      <T extends unknown[], R>(method: (kind: string, id: string, ...rest: T) => R) =>
      (kind: string, id: string, ...rest: T) => {
        note(kind, id);
        return method(kind, id, ...rest);
      };
    const { batch } = store;
    const reopened: Store = {
      ...store,
      put: noting(store.put),
      add: noting(store.add),
      async close() {
        await Promise.all([...written.values()].map(([kind, id]) => store.delete(kind, id)));
      },
    };
    return batch
      ? withBatch(reopened, (calls) => {
        for (const [method, kind, id] of calls) if (method !== "list") note(kind, id);
        return batch(calls);
      })
      : reopened;
  };
}
