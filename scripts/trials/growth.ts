import { DatabaseSync } from "node:sqlite";
import { day, hour } from "../../src/server/util/time/duration.ts";
import { everyFlow, tokenByAssertion } from "../../tests/support/every_flow.ts";
import { present } from "../../tests/support/present.ts";
import { createLedger, findLosses, sendLoad } from "./load.ts";
import { createRandom, growthOf, isAfter, repeat, sumOf } from "./numbers.ts";
import type { TrialServer } from "./server.ts";
import { countAlike, type TrialReport } from "./trial.ts";
import { createTrialUser } from "./user.ts";

/** One round of load. */
interface RoundOptions {
  /** How many users stay signed in, and note what they were given. */
  withSession: number;
  /** For how many milliseconds they send requests. */
  duration: number;
  /** Whether to look for all that was acknowledged. */
  isJudged?: boolean;
}

const random = createRandom(1);

/** How many rounds of load there are. */
const rounds = 12;

/** How long the round is that looks for what was acknowledged, in milliseconds. */
const judgedDuration = 1_000;

/** How much more the last third of the rounds may leave than the middle third. */
const maxGrowth = { heap: 1.1, process: 1.2, store: 1 };

const units = { heap: "MB", process: "MB", store: "rows" };

/** The server remembers so many verified tokens. */
const rememberedTokens = 1000;

/** After so long, everything that a user or a client has made has expired. */
const longestLifetime = 400 * day * 1000;

/** How long sweeping may take, in milliseconds: slow machines exist. */
const sweepTimeout = 60_000;

/** Sends mixed load, and looks for what it leaves behind. */
export async function measureGrowth(
  server: TrialServer,
  store: string,
  minutes: number,
): Promise<TrialReport> {
  const options = { withSession: 6, duration: minutes * 60_000 / rounds };
  await fillCaches(server);
  const done = [];
  while (done.length < rounds) done.push(await runRound(server, store, options));
  const judged = { ...options, duration: judgedDuration, isJudged: true };
  const last = await runRound(server, store, judged);
  done.push(last);

  const flows = sumOf(done.map(({ flows }) => flows));
  const figures = [`${flows} flows, ${sumOf([...server.statuses.values()])} responses`];
  // A mixed load has no reason for a 5xx.
  const failures = [...server.statuses].filter(([status]) => status >= 500);
  const problems = [
    ...failures.map(([status, count]) => `${count} responses had the status ${status}.`),
    ...countAlike(last.losses),
  ];
  for (const name of Object.keys(maxGrowth) as Array<keyof typeof maxGrowth>) {
    const sizes = done.flatMap(({ sizes }) => sizes[name] ?? []);
    if (sizes.length === 0) continue;
    const [growth, unit] = [growthOf(sizes), units[name]];
    figures.push(`${name} ${sizes.at(-1)} ${unit}, growth ${growth.toFixed(3)}`);
    if (growth <= maxGrowth[name]) continue;
    problems.push(`The ${name} grows: ${growth.toFixed(3)} (${sizes.join(", ")} ${unit}).`);
  }
  const left = Object.entries(last.rows ?? {}).map(([kind, count]) => `${count} ${kind}`);
  if (left.length > 0) figures.push(`rows left after sweeping: ${left.join(", ")}`);
  return { figures, problems };
}

/**
 * Sends load to a server with its store, lets everything expire, and measures what is left. Another
 * user goes through every flow in turn, and signs in each time.
 */
export async function runRound(
  server: TrialServer,
  store: string,
  { withSession, duration, isJudged = false }: RoundOptions,
) {
  const users = Array.from(
    { length: withSession },
    (_, n) => createTrialUser(server.kit(`198.51.100.${n + 1}`)),
  );
  for (const user of users) await user.signIn();
  const other = server.kit("203.0.113.1");
  const flows = Object.values(everyFlow);
  const nextFlow = (count: number) => present(flows[count % flows.length])(other);
  const isOver = isAfter(duration);
  const ledger = createLedger();
  const [chains, times] = await Promise.all([
    sendLoad(users, { ledger, random, isOver }),
    // One after the other: of two requests of one client for a user, one is refused.
    repeat(nextFlow, { isOver }),
  ]);
  const losses = isJudged ? await findLosses(present(users[0]), ledger) : [];
  await sweepEverything(server);
  const { heapUsed, rss } = await server.ask("/memory");
  const rows = countRows(store);
  const sizes = {
    heap: inMegabytes(heapUsed),
    process: inMegabytes(rss),
    store: rows && sumOf(Object.values(rows)),
  };
  return { flows: chains + times.length, sizes, rows, losses };
}

/** Fills what the server remembers up to a limit: until then, it would seem to grow. */
async function fillCaches(server: TrialServer): Promise<void> {
  const kit = server.kit("203.0.113.200");
  const user = createTrialUser(kit);
  const fill = async () => await user.isActive((await tokenByAssertion(kit)).body.access_token);
  await repeat(fill, { isOver: (count) => count >= rememberedTokens, workers: 8 });
}

/** Lets everything expire. A sweep that deletes less than a full batch is the last one. */
async function sweepEverything(server: TrialServer): Promise<void> {
  const kit = server.kit();
  const fullBatch = 500;
  const isTooLate = isAfter(sweepTimeout);
  server.takeOutput();
  await server.advance(longestLifetime);
  for (let swept = fullBatch; swept >= fullBatch;) {
    if (isTooLate()) throw new Error("The sweep does not come to an end.");
    // A server that has just started sweeps after an hour without a jump, and begins after a request.
    await server.advance(hour * 1000);
    await (await kit.get("/health")).arrayBuffer();
    await new Promise((resolve) => setTimeout(resolve, 1));
    const sweeps = [...server.takeOutput().matchAll(/ rows\.swept +rows=(\d+)/g)];
    swept = Number(sweeps.at(-1)?.[1] ?? swept);
  }
}

/** Counts the rows of each kind, if that costs little. */
function countRows(store: string): Record<string, number> | undefined {
  if (!store.startsWith("sqlite:")) return undefined;
  const database = new DatabaseSync(store.slice("sqlite:".length), { readOnly: true });
  const kinds = database.prepare("SELECT kind, count(*) AS count FROM rows GROUP BY kind").all();
  database.close();
  return Object.fromEntries(kinds.map(({ kind, count }) => [`${kind}`, Number(count)]));
}

function inMegabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 102.4) / 10;
}
