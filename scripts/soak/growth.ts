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
import { createLedger, findLosses } from "../trials/ledger.ts";
import { sendLoad } from "../trials/load.ts";
import { createRandom, growthOf } from "../trials/numbers.ts";
import { countAlike, type TrialReport } from "../trials/trial.ts";
import type { TrialServer } from "../trials/trial_server.ts";
import { createTrialUser } from "../trials/trial_user.ts";

/** How many users send requests at once. */
export interface LoadUsers {
  /** These stay signed in, and what they were given is noted. */
  withSession: number;
  /** These go through every flow in turn, and sign in each time. */
  withEveryFlow: number;
}

/** What is left after one round of load. */
export interface Round {
  /** How many flows the load had. */
  flows: number;
  /** The heap and the memory of the process after sweeping, in bytes. */
  heapUsed: number;
  rss: number;
  /** The rows after sweeping, per table; undefined if the store is in the process. */
  rows: Record<string, number> | undefined;
  /** What the server had acknowledged, and did not know at the end of the load. */
  losses: string[];
}

/**
 * Sends load for some milliseconds, lets everything expire, and measures what is left. A round that
 * is judged is a short one: it looks for all that was acknowledged.
 */
export type RunRound = (duration: number, options?: { isJudged: boolean }) => Promise<Round>;

/** How much more the last third of the rounds may leave than the middle third. */
const maxGrowth = { heap: 1.1, rss: 1.2, rows: 1 };

/** The server remembers so many verified tokens. */
const rememberedTokens = 1000;

/** After so long, everything that a user or a client has made has expired. */
const longestLifetime = 400 * day * 1000;

/** How long sweeping may take, in milliseconds: slow machines exist. */
const sweepTimeout = 60_000;

const megabyte = 1024 * 1024;

/** Fills what the server remembers up to a limit: until then, it would seem to grow. */
export async function fillCaches(server: TrialServer): Promise<void> {
  const kit = server.kit("203.0.113.200");
  const user = createTrialUser(kit);
  let left = rememberedTokens;
  const fill = async () =>
    void await user.isActive((await tokenByAssertion(kit)).body.access_token);
  await Promise.all(Array.from({ length: 8 }, () => repeat(fill, () => --left <= 0)));
}

/** Prepares the load of some users on a server, whose store has a name. */
export async function prepareRounds(
  server: TrialServer,
  store: string,
  users: LoadUsers,
): Promise<RunRound> {
  const random = createRandom(1);
  const sessions = Array.from(
    { length: users.withSession },
    (_, n) => createTrialUser(server.kit(`198.51.100.${n + 1}`)),
  );
  const flows = Array.from({ length: users.withEveryFlow }, (_, n) => {
    const kit = server.kit(`203.0.113.${n + 1}`);
    const nextFlow = inTurn(Object.values(everyFlow), n);
    return () => nextFlow()(kit);
  });
  return async (duration, { isJudged } = { isJudged: false }) => {
    // The sessions of the round before have expired.
    for (const user of sessions) await user.signIn();
    const end = performance.now() + duration;
    const isOver = () => performance.now() >= end;
    const ledger = createLedger();
    const counts = await Promise.all([
      sendLoad(sessions, { ledger, random, isOver }),
      ...flows.map((flow) => repeat(flow, isOver)),
    ]);
    const losses = isJudged ? await findLosses(present(sessions[0]), ledger) : [];
    await sweepEverything(server);
    const { heapUsed, rss } = await server.memory();
    return { flows: sum(counts), heapUsed, rss, rows: await countRows(store), losses };
  };
}

/** Reports what rounds of load have left behind. */
export function reportRounds(
  rounds: readonly Round[],
  statuses: TrialServer["statuses"],
): TrialReport {
  const heap = growthOf(rounds.map(({ heapUsed }) => heapUsed));
  const rss = growthOf(rounds.map(({ rss }) => rss));
  const last = rounds.at(-1);
  const left = Object.entries(last?.rows ?? {}).map(([table, rows]) => `${rows} ${table}`);
  return {
    figures: [
      `${sum(rounds.map(({ flows }) => flows))} flows, ${sum([...statuses.values()])} responses`,
      `heap ${megabytes(last?.heapUsed)}, growth ${heap.toFixed(3)}`,
      `process ${megabytes(last?.rss)}, growth ${rss.toFixed(3)}`,
      ...last?.rows ? [`rows left after sweeping: ${left.join(", ")}`] : [],
    ],
    problems: [
      ...serverErrors(statuses),
      ...countAlike(rounds.flatMap(({ losses }) => losses)),
      ...heap > maxGrowth.heap ? [`The heap grows: ${heap.toFixed(3)}.`] : [],
      ...rss > maxGrowth.rss ? [`The process grows: ${rss.toFixed(3)}.`] : [],
      ...growthOfRows(rounds),
    ],
  };
}

function growthOfRows(rounds: readonly Round[]): string[] {
  const counts = rounds.flatMap(({ rows }) => rows ? [sum(Object.values(rows))] : []);
  if (counts.length === 0 || growthOf(counts) <= maxGrowth.rows) return [];
  return [`The store grows: ${counts.join(", ")} rows.`];
}

/** A mixed load has no reason for a status of 500 or more. */
function serverErrors(statuses: TrialServer["statuses"]): string[] {
  return [...statuses].filter(([status]) => status >= 500).map(([status, count]) =>
    `${count} responses had the status ${status}.`
  );
}

/** Lets everything expire. A sweep that deletes less than a full batch is the last one. */
async function sweepEverything(server: TrialServer): Promise<void> {
  const kit = server.kit();
  const fullBatch = 500;
  const end = performance.now() + sweepTimeout;
  server.takeLastSweep();
  await server.advance(longestLifetime);
  while ((server.takeLastSweep() ?? fullBatch) >= fullBatch) {
    if (performance.now() > end) throw new Error("The sweep does not come to an end.");
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

/** Repeats an action until it is over, at least once, and returns how often. */
async function repeat(act: () => Promise<unknown>, isOver: () => boolean): Promise<number> {
  let count = 0;
  do {
    await act();
    count++;
  } while (!isOver());
  return count;
}

function inTurn<T>(items: readonly T[], first: number): () => T {
  let turn = first;
  return () => present(items[turn++ % items.length]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function megabytes(bytes = 0): string {
  return `${(bytes / megabyte).toFixed(1)} MB`;
}
