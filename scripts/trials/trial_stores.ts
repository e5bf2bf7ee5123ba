import { join } from "node:path";
import { postgresMissing, startPostgres } from "../../tests/support/postgres_server.ts";
import { redisMissing, startRedis } from "../../tests/support/redis_server.ts";

/** A process that holds rows, and can be killed by itself. It ends with this process. */
export interface StoreProcess {
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Where the rows of one trial are. */
export interface OpenStore {
  /** What `store` is in the configuration. */
  url: string;
  /** The process that holds the rows, if there is one. */
  process?: StoreProcess;
}

/** A kind of store that servers are tried with. */
export interface TrialStore {
  name: string;
  /** Why the store cannot be used here, or false. */
  missing: string | false;
  /** Whether a process of its own holds the rows. */
  hasProcess: boolean;
  /** Opens an empty store. */
  open(folder: string): Promise<OpenStore>;
}

/** Every persistent store. One that is added here goes through all trials. */
export const trialStores: readonly TrialStore[] = [
  {
    name: "SQLite",
    missing: false,
    hasProcess: false,
    open: (folder) => Promise.resolve({ url: storeUrl("sqlite", folder) }),
  },
  { name: "Redis", missing: redisMissing, hasProcess: true, open: () => openProcess(startRedis()) },
  {
    name: "PostgreSQL",
    missing: postgresMissing,
    hasProcess: true,
    open: () => openProcess(startPostgres()),
  },
];

/** Returns the URL of a store; `sqlite` is a file in a folder. */
export function storeUrl(name: string, folder: string): string {
  return name === "sqlite" ? `sqlite:${join(folder, "hallpass.db")}` : name;
}

/** Opens every store that this machine has, the memory included, and returns their URLs. */
export async function openAllStores(folder: string): Promise<string[]> {
  const urls = ["memory"];
  for (const { missing, open } of trialStores) {
    if (missing) console.log(missing);
    else urls.push((await open(folder)).url);
  }
  return urls;
}

async function openProcess(starting: Promise<StoreProcess & { url: string }>): Promise<OpenStore> {
  const started = await starting;
  return { url: started.url, process: started };
}
