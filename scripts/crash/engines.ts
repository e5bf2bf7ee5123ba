import { join } from "node:path";
import { postgresMissing, startPostgres } from "../../tests/support/postgres_server.ts";
import { redisMissing, startRedis } from "../../tests/support/redis_server.ts";

/** A process that holds rows, and can be killed by itself. It ends with this process. */
export interface EngineServer {
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Where the rows of one campaign are. */
export interface OpenEngine {
  /** What `store` is in the configuration. */
  store: string;
  /** The process that holds the rows, if there is one. */
  server?: EngineServer;
}

/** A kind of store that crashes are tried with. */
export interface Engine {
  name: string;
  /** Why the engine cannot be used here, or false. */
  missing: string | false;
  /** Whether a process of its own holds the rows. */
  hasServer: boolean;
  /** Opens an empty store. */
  open(folder: string): Promise<OpenEngine>;
}

/** Every persistent store. An engine that is added here goes through all rounds. */
export const engines: readonly Engine[] = [
  {
    name: "SQLite",
    missing: false,
    hasServer: false,
    open: (folder) => Promise.resolve({ store: `sqlite:${join(folder, "hallpass.db")}` }),
  },
  {
    name: "Redis",
    missing: redisMissing,
    hasServer: true,
    async open() {
      const server = await startRedis();
      return { store: server.url, server };
    },
  },
  {
    name: "PostgreSQL",
    missing: postgresMissing,
    hasServer: true,
    async open() {
      const server = await startPostgres();
      return { store: server.url, server };
    },
  },
];
