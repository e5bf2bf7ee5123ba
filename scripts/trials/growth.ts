import { openStore } from "../../src/program/operate/open_store.ts";
import { createFullServer } from "../../src/server/features.ts";
import { logoutDeliveries } from "../../src/server/features/backchannel_logout/logout_deliveries.ts";
import { deviceParts } from "../../src/server/features/device/parts.ts";
import { logoutParts } from "../../src/server/features/logout/logout_requests.ts";
import type { Table } from "../../src/server/issuer/records/table.ts";
import { isObject } from "../../src/server/util/text/json.ts";
import { day } from "../../src/server/util/time/duration.ts";
import { everyFlow, tokenByAssertion } from "../../tests/support/every_flow.ts";
import { present } from "../../tests/support/present.ts";
import { createLedger, findLosses } from "./ledger.ts";
import { sendLoad } from "./load.ts";
import { createRandom, growthOf, isAfter, repeat, sumOf } from "./numbers.ts";
import type { TrialServer } from "./server.ts";
import { countAlike, type TrialReport } from "./trial.ts";
import { createTrialUser } from "./user.ts";

/** One round of load. */
interface RoundOptions {
  /** How many users stay signed in, and note what they were given. */
  withSession: number;
  /** How many go through every flow in turn, and sign in each time. */
  withEveryFlow: number;
  /** For how many milliseconds they send requests. */
  duration: number;
  /** Whether to look for all that was acknowledged. */
  isJudged?: boolean;
}

/** What is left after one round. */
type Round = Awaited<ReturnType<typeof runRound>>;

const random = createRandom(1);

/** How many rounds of load there are. */
const rounds = 12;

/** How long the round is that looks for what was acknowledged, in milliseconds. */
const judgedDuration = 1_000;

/** How much more the last third of the rounds may leave than the middle third. */
const maxGrowth = { heap: 1.1, process: 1.2, rows: 1 };

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
  const options = { withSession: 6, withEveryFlow: 2, duration: minutes * 60_000 / rounds };
  await fillCaches(server);
  const done: Round[] = [];
  while (done.length < rounds) done.push(await runRound(server, store, options));
  const judged = { ...options, duration: judgedDuration, isJudged: true };
  done.push(await runRound(server, store, judged));
  return reportRounds(done, server.statuses);
}

/** Sends load to a server with its store, lets everything expire, and measures what is left. */
export async function runRound(
  server: TrialServer,
  store: string,
  { withSession, withEveryFlow, duration, isJudged = false }: RoundOptions,
) {
  const kits = (count: number, network: string) =>
    Array.from({ length: count }, (_, n) => server.kit(`${network}.${n + 1}`));
  const users = kits(withSession, "198.51.100").map((kit) => createTrialUser(kit));
  const others = kits(withEveryFlow, "203.0.113");
  for (const user of users) await user.signIn();
  const flows = Object.values(everyFlow);
  const turns = new Map<number, Promise<unknown>>();
  // Of two requests of one client for a user, one is refused: no flow runs beside itself.
  const nextFlow = (count: number, worker: number) => {
    const at = count % flows.length;
    const run = () => present(flows[at])(present(others[worker]));
    const turn = turns.get(at)?.then(run) ?? run();
    turns.set(at, turn);
    return turn;
  };
  const isOver = isAfter(duration);
  const ledger = createLedger();
  const [chains, times] = await Promise.all([
    sendLoad(users, { ledger, random, isOver }),
    repeat(nextFlow, { isOver, workers: withEveryFlow }),
  ]);
  const losses = isJudged ? await findLosses(present(users[0]), ledger) : [];
  await sweepEverything(server);
  const { heapUsed, rss } = await server.ask("/memory");
  return { flows: chains + times.length, heapUsed, rss, rows: await countRows(store), losses };
}

/** Fills what the server remembers up to a limit: until then, it would seem to grow. */
async function fillCaches(server: TrialServer): Promise<void> {
  const kit = server.kit("203.0.113.200");
  const user = createTrialUser(kit);
  const fill = async () => await user.isActive((await tokenByAssertion(kit)).body.access_token);
  await repeat(fill, { isOver: (count) => count >= rememberedTokens, workers: 8 });
}

/** Reports what rounds of load have left behind. */
function reportRounds(done: readonly Round[], statuses: TrialServer["statuses"]): TrialReport {
  const counts = done.flatMap(({ rows }) => rows ? [sumOf(Object.values(rows))] : []);
  const growth = {
    heap: growthOf(done.map(({ heapUsed }) => heapUsed)),
    process: growthOf(done.map(({ rss }) => rss)),
    rows: counts.length > 0 ? growthOf(counts) : 1,
  };
  const { heapUsed, rss, rows } = present(done.at(-1));
  const left = Object.entries(rows ?? {}).map(([table, rows]) => `${rows} ${table}`);
  const tooMuch = (name: keyof typeof growth, sentence: string) =>
    growth[name] > maxGrowth[name] ? [sentence] : [];
  return {
    figures: [
      `${sumOf(done.map(({ flows }) => flows))} flows, ${sumOf([...statuses.values()])} responses`,
      `heap ${megabytes(heapUsed)}, growth ${growth.heap.toFixed(3)}`,
      `process ${megabytes(rss)}, growth ${growth.process.toFixed(3)}`,
      ...rows ? [`rows left after sweeping: ${left.join(", ")}`] : [],
    ],
    problems: [
      // A mixed load has no reason for them.
      ...[...statuses].filter(([status]) => status >= 500)
        .map(([status, count]) => `${count} responses had the status ${status}.`),
      ...countAlike(done.flatMap(({ losses }) => losses)),
      ...tooMuch("heap", `The heap grows: ${growth.heap.toFixed(3)}.`),
      ...tooMuch("process", `The process grows: ${growth.process.toFixed(3)}.`),
      ...tooMuch("rows", `The store grows: ${counts.join(", ")} rows.`),
    ],
  };
}

/** Lets everything expire. A sweep that deletes less than a full batch is the last one. */
async function sweepEverything(server: TrialServer): Promise<void> {
  const kit = server.kit();
  const fullBatch = 500;
  const isTooLate = isAfter(sweepTimeout);
  server.takeLastSweep();
  await server.advance(longestLifetime);
  while ((server.takeLastSweep() ?? fullBatch) >= fullBatch) {
    if (isTooLate()) throw new Error("The sweep does not come to an end.");
    // Sweeping begins after a request.
    await (await kit.get("/health")).arrayBuffer();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Counts the rows of each table that has some. */
async function countRows(name: string): Promise<Record<string, number> | undefined> {
  if (name === "memory") return undefined;
  const store = await openStore(name, { isRealTime: true });
  try {
    // At the beginning of time, no row has expired yet.
    const { context } = createFullServer({ issuer: "https://id.example", store, now: () => 0 });
    const parts = Object.entries({
      ...context.records,
      ...deviceParts(context),
      ...logoutParts(context),
      logoutDeliveries: logoutDeliveries(context),
    });
    const isTable = ([, part]: [string, unknown]) => isObject(part) && "list" in part;
    const counts: Record<string, number> = {};
    for (const [name, table] of parts.filter(isTable) as Array<[string, Table<unknown>]>) {
      const { length } = await table.list();
      if (length > 0) counts[name] = length;
    }
    return counts;
  } finally {
    await store.close();
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
