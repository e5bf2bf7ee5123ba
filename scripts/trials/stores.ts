import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { findFreePort } from "../../tests/support/free_port.ts";
import {
  postgresMissing,
  startPostgres,
  startStandby,
} from "../../tests/support/postgres_server.ts";
import { redisMissing, startRedis } from "../../tests/support/redis_server.ts";

/** Where the rows of one trial are. A process that holds them ends with this one. */
export interface OpenStore {
  /** What `store` is in the configuration. */
  url: string;
  kill?(): Promise<unknown>;
  start?(): Promise<unknown>;
}

/** A kind of store that servers are tried with. */
export interface TrialStore {
  name: string;
  /** Why the store cannot be used here, or false. */
  missing: string | false;
  /** Opens an empty store. */
  open(folder: string): Promise<OpenStore>;
  /** Opens one with a replica, if a process of its own holds the rows. */
  openPair?(...settings: string[]): Promise<Pair>;
}

/** A primary and its replica. */
export interface Pair extends OpenStore {
  /** Ends the replication. */
  cutOff(): Promise<unknown>;
  /** Ends the primary. */
  kill(): Promise<unknown>;
  /** Makes the replica the primary. */
  promote(): Promise<unknown>;
  /** Makes the replica the primary, and the primary a replica that keeps its connections. */
  switchOver(): Promise<unknown>;
}

/** Every persistent store. One that is added here goes through all trials. */
export const trialStores: readonly TrialStore[] = [
  {
    name: "SQLite",
    missing: false,
    open: (folder) => Promise.resolve({ url: storeUrl("sqlite", folder) }),
  },
  { name: "Redis", missing: redisMissing, open: () => startRedis(), openPair: openRedisPair },
  {
    name: "PostgreSQL",
    missing: postgresMissing,
    open: () => startPostgres(),
    openPair: openPostgresPair,
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

/** Opens a pair whose driver finds the primary. */
async function openPostgresPair(...settings: string[]): Promise<Pair> {
  const primary = await startPostgres(...settings);
  const standby = await startStandby(primary);
  const promote = () => standby.sql("SELECT pg_promote()");
  const replicas = async (condition = "") =>
    (await primary.sql(`SELECT FROM pg_stat_replication ${condition}`)).length;
  while (await replicas() === 0) continue;
  return {
    url: `postgres://owner@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`,
    async cutOff() {
      await standby.sql("ALTER SYSTEM SET primary_conninfo = ''");
      await standby.sql("SELECT pg_reload_conf()");
      while (await replicas() > 0) continue;
    },
    kill: primary.kill,
    promote,
    async switchOver() {
      await primary.sql("ALTER SYSTEM SET default_transaction_read_only = on");
      await primary.sql("SELECT pg_reload_conf()");
      while (await replicas("WHERE replay_lsn = pg_current_wal_lsn()") === 0) continue;
      await promote();
    },
  };
}

/** Opens Redis behind a port that leads to its current master, as the name of its host would. */
async function openRedisPair(...settings: string[]): Promise<Pair> {
  const master = await startRedis(...settings);
  const replica = await startRedis("--replicaof", "127.0.0.1", `${master.port}`);
  while (!(await master.cli("INFO", "replication")).includes("state=online")) continue;
  let leadsTo = master.port;
  const port = await openPort(() => leadsTo);
  return {
    url: `redis://127.0.0.1:${port}`,
    cutOff: () => replica.cli("REPLICAOF", "NO", "ONE"),
    kill: master.kill,
    async promote() {
      leadsTo = replica.port;
    },
    async switchOver() {
      await master.cli("FAILOVER");
      while (!(await master.cli("ROLE")).startsWith("slave")) continue;
      leadsTo = replica.port;
    },
  };
}

/** Opens a port whose new connections go on to another one, which can change. */
async function openPort(target: () => number): Promise<number> {
  const port = await findFreePort();
  const server = createServer((near) => {
    const far = connect(target(), "127.0.0.1");
    const pairs: ReadonlyArray<readonly [Socket, Socket]> = [[near, far], [far, near]];
    for (const [one, other] of pairs) {
      one.on("error", () => other.destroy()).on("close", () => other.destroy()).pipe(other);
    }
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  return port;
}
