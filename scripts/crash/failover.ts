/**
 * Cuts a replica off under load, ends its primary, promotes the replica, and counts what of all
 * that was acknowledged is undone. `--alone` is how long the primary lives without its replica, in
 * milliseconds.
 *
 *   deno run -A scripts/crash/failover.ts [--rounds N] [--seed N] [--alone N] [--pair NAME]
 */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import process from "node:process";
import { parseArgs } from "node:util";
import { inFolder } from "../../tests/support/folder.ts";
import { findFreePort } from "../../tests/support/free_port.ts";
import { startPostgres, startStandby } from "../../tests/support/postgres_server.ts";
import { startRedis } from "../../tests/support/redis_server.ts";
import { createLedger, findLosses } from "./ledger.ts";
import { sendLoad } from "./load.ts";
import { createRandom } from "./random.ts";
import { openCampaign, withServer } from "./rounds.ts";
import { createServerClient } from "./server_client.ts";

/** A primary and its replica. */
interface Pair {
  store: string;
  /** Ends the replication. */
  cutOff(): Promise<unknown>;
  /** Ends the primary. */
  kill(): Promise<unknown>;
  /** Makes the replica the primary. */
  promote(): Promise<unknown>;
}

const pairs: Record<string, () => Promise<Pair>> = {
  "PostgreSQL, asynchronous": () => openPostgres(),
  "PostgreSQL, synchronous_standby_names '*'": () => openPostgres("synchronous_standby_names=*"),
  "Redis, min-replicas-to-write 0": () => openRedis("0"),
  "Redis, min-replicas-to-write 1": () => openRedis("1"),
};

/** How many responses are acknowledged before the replica is cut off. */
const before = 40;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    alone: { type: "string", default: "1500" },
    pair: { type: "string" },
    seed: { type: "string", default: `${Date.now() % 1_000_000}` },
  },
});
const random = createRandom(Number(values.seed));

for (const [name, open] of Object.entries(pairs)) {
  if (values.pair !== undefined && !name.startsWith(values.pair)) continue;
  const losses: string[] = [];
  let acknowledged = 0;
  for (let round = 0; round < Number(values.rounds); round++) {
    const result = await failOver(open);
    acknowledged += result.acknowledged;
    losses.push(...result.losses);
  }
  console.log(`${name}: ${acknowledged} acknowledged responses, ${losses.length} undone`);
  for (const loss of new Set(losses)) {
    console.log(`  ${losses.filter((other) => other === loss).length} × ${loss}`);
  }
}
process.exit(0);

async function failOver(open: () => Promise<Pair>) {
  const pair = await open();
  const engine = { name: "", missing: false, hasServer: true, open: async () => pair } as const;
  return await inFolder(async (folder) => {
    const { config } = await openCampaign(engine, folder);
    const ledger = createLedger();
    const losses: string[] = [];
    await withServer(config, async (issuer) => {
      const client = createServerClient(issuer, new Map());
      await client.authorize();
      await sendLoad(client, ledger, { random, isOver: () => ledger.acknowledged >= before });
      await pair.cutOff();
      const end = performance.now() + Number(values.alone);
      await sendLoad(client, ledger, { random, isOver: () => performance.now() > end });
      await pair.kill();
      await pair.promote();
      while ((await fetch(`${issuer}/oauth2/interaction/unknown`)).status >= 500) continue;
      losses.push(...await findLosses(client, ledger));
    });
    return { acknowledged: ledger.acknowledged, losses };
  });
}

async function openPostgres(...settings: string[]): Promise<Pair> {
  const primary = await startPostgres(...settings);
  const standby = await startStandby(primary);
  while ((await primary.sql("SELECT FROM pg_stat_replication")).length === 0) continue;
  return {
    store: `postgres://owner@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`,
    async cutOff() {
      await standby.sql("ALTER SYSTEM SET primary_conninfo = ''");
      await standby.sql("SELECT pg_reload_conf()");
      while ((await primary.sql("SELECT FROM pg_stat_replication")).length > 0) continue;
    },
    kill: primary.kill,
    promote: () => standby.sql("SELECT pg_promote()"),
  };
}

/** Redis behind a port that leads to its current master, as the name of its host would. */
async function openRedis(minReplicas: string): Promise<Pair> {
  const master = await startRedis("--min-replicas-to-write", minReplicas);
  const replica = await startRedis("--replicaof", "127.0.0.1", `${master.port}`);
  while (!(await master.cli("INFO", "replication")).includes("state=online")) continue;
  const name = await openName(master.port);
  return {
    store: `redis://127.0.0.1:${name.port}`,
    async cutOff() {
      await replica.cli("REPLICAOF", "NO", "ONE");
    },
    kill: master.kill,
    promote: () => Promise.resolve(name.lead(replica.port)),
  };
}

/** Opens a port whose connections go on to another one, which can change. */
async function openName(target: number) {
  const port = await findFreePort();
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    for (const [one, other] of [[near, far], [far, near]] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy()).on("close", () => other.destroy()).pipe(other);
    }
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  const lead = (next: number) => {
    target = next;
    for (const socket of sockets) socket.destroy();
  };
  return { port, lead };
}
