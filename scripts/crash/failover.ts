/**
 * Fails over to a replica under load, and looks for what of all that was acknowledged is undone. In
 * a crash, the replica is cut off before its primary ends; `--alone` is how long the primary lives
 * without it, in milliseconds. In a switchover, the primary becomes a replica, and its connections
 * stay.
 *
 *   deno run -A scripts/crash/failover.ts [--rounds N] [--seed N] [--alone N] [--pair NAME]
 */
import { parseArgs } from "node:util";
import { createLedger, findLosses } from "../trials/ledger.ts";
import { createRandom } from "../trials/numbers.ts";
import { countAlike, runTrials, type Trial } from "../trials/trial.ts";
import type { TrialServer } from "../trials/trial_server.ts";
import { loadBy, untilHealthy, withServer } from "./campaigns.ts";
import { openPostgresPair, openRedisPair, type Pair } from "./pairs.ts";

/** How a pair fails over. */
interface FailoverKind {
  title: string;
  open(): Promise<Pair>;
  /** Whether the pair loses nothing, however it fails over. */
  isSafe: boolean;
  failOver(pair: Pair, load: Load, server: TrialServer): Promise<void>;
}

/** Sends load until it is over. */
type Load = (isOver: (acknowledged: number) => boolean) => Promise<void>;

/** How many responses are acknowledged before the replica is cut off, and after a switchover. */
const enough = 40;

/** A server that only reads may notice so late that its store is a replica, in milliseconds. */
const noticed = 2_500;

const kinds: readonly FailoverKind[] = [
  { title: "PostgreSQL, asynchronous", open: openPostgresPair, isSafe: false, failOver: crash },
  {
    title: "PostgreSQL, synchronous_standby_names '*'",
    open: () => openPostgresPair("synchronous_standby_names=*"),
    isSafe: true,
    failOver: crash,
  },
  { title: "PostgreSQL, switchover", open: openPostgresPair, isSafe: true, failOver: switchOver },
  { title: "Redis, min-replicas-to-write 0", open: openRedisPair, isSafe: false, failOver: crash },
  {
    title: "Redis, min-replicas-to-write 1",
    open: () => openRedisPair("--min-replicas-to-write", "1"),
    isSafe: true,
    failOver: crash,
  },
  {
    title: "Redis, switchover",
    // The server must notice by itself: a replica that takes writes loses them.
    open: () => openRedisPair("--replica-read-only", "no"),
    isSafe: true,
    failOver: switchOver,
  },
];

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    alone: { type: "string", default: "1500" },
    pair: { type: "string", default: "" },
    seed: { type: "string", default: `${Date.now() % 1_000_000}` },
  },
});
const rounds = Number(values.rounds);
const random = createRandom(Number(values.seed));

await runTrials(
  kinds.filter(({ title }) => title.startsWith(values.pair)).map((kind): Trial => ({
    title: kind.title,
    async run(folder) {
      const results = [];
      for (let round = 0; round < rounds; round++) results.push(await runRound(kind, folder));
      const undone = results.flatMap(({ losses }) => losses);
      const acknowledged = results.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
      const losses = countAlike(undone);
      const figure = `${acknowledged} acknowledged responses, ${undone.length} undone`;
      return kind.isSafe
        ? { figures: [figure], problems: losses }
        : { figures: [figure, ...losses], problems: [] };
    },
  })),
);

async function runRound({ open, failOver }: FailoverKind, folder: string) {
  const pair = await open();
  return await withServer(pair, folder, async (server, user) => {
    const ledger = createLedger();
    const load: Load = (isOver) =>
      loadBy(user, ledger, { random, isOver: () => isOver(ledger.acknowledged) });
    await failOver(pair, load, server);
    await untilHealthy(server);
    // Another server finds what the new primary has.
    await server.stop("SIGKILL");
    await server.start();
    return { acknowledged: ledger.acknowledged, losses: await findLosses(user, ledger) };
  });
}

async function crash(pair: Pair, load: Load): Promise<void> {
  await load((acknowledged) => acknowledged >= enough);
  await pair.cutOff();
  await load(isAfter(Number(values.alone)));
  await pair.kill();
  await pair.promote();
}

async function switchOver(pair: Pair, load: Load, server: TrialServer): Promise<void> {
  await load((acknowledged) => acknowledged >= enough);
  await pair.switchOver();
  for (const isNoticed = isAfter(noticed); !isNoticed();) await untilHealthy(server);
  await load((acknowledged) => acknowledged >= 2 * enough);
}

function isAfter(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds;
  return () => performance.now() > end;
}
