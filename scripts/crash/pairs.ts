import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { findFreePort } from "../../tests/support/free_port.ts";
import { startPostgres, startStandby } from "../../tests/support/postgres_server.ts";
import { startRedis } from "../../tests/support/redis_server.ts";
import type { OpenStore } from "../trials/trial_stores.ts";

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

/** Opens a pair whose driver finds the primary. */
export async function openPostgresPair(...settings: string[]): Promise<Pair> {
  const primary = await startPostgres(...settings);
  const standby = await startStandby(primary);
  const promote = () => standby.sql("SELECT pg_promote()");
  const isCaughtUp = async () =>
    (await primary.sql("SELECT FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn()"))
      .length > 0;
  while ((await primary.sql("SELECT FROM pg_stat_replication")).length === 0) continue;
  return {
    url: `postgres://owner@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`,
    async cutOff() {
      await standby.sql("ALTER SYSTEM SET primary_conninfo = ''");
      await standby.sql("SELECT pg_reload_conf()");
      while ((await primary.sql("SELECT FROM pg_stat_replication")).length > 0) continue;
    },
    kill: primary.kill,
    promote,
    async switchOver() {
      await primary.sql("ALTER SYSTEM SET default_transaction_read_only = on");
      await primary.sql("SELECT pg_reload_conf()");
      while (!await isCaughtUp()) continue;
      await promote();
    },
  };
}

/** Opens Redis behind a port that leads to its current master, as the name of its host would. */
export async function openRedisPair(...settings: string[]): Promise<Pair> {
  const master = await startRedis(...settings);
  const replica = await startRedis("--replicaof", "127.0.0.1", `${master.port}`);
  while (!(await master.cli("INFO", "replication")).includes("state=online")) continue;
  const name = await openName(master.port);
  return {
    url: `redis://127.0.0.1:${name.port}`,
    async cutOff() {
      await replica.cli("REPLICAOF", "NO", "ONE");
    },
    kill: master.kill,
    async promote() {
      name.lead(replica.port);
    },
    async switchOver() {
      await master.cli("FAILOVER");
      while (!(await master.cli("ROLE")).startsWith("slave")) continue;
      name.lead(replica.port);
    },
  };
}

/** Opens a port whose new connections go on to another one, which can change. */
async function openName(target: number) {
  const port = await findFreePort();
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    const pairs: ReadonlyArray<readonly [Socket, Socket]> = [[near, far], [far, near]];
    for (const [one, other] of pairs) {
      one.on("error", () => other.destroy()).on("close", () => other.destroy()).pipe(other);
    }
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  const lead = (next: number) => void (target = next);
  return { port, lead };
}
