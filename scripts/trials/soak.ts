import { setTimeout as delay } from "node:timers/promises";
import { present } from "../../tests/support/present.ts";
import { openRawConnection, rawGet } from "../../tests/support/raw_connection.ts";
import { type Attack, busyConnections, modestAttacks, signIns, tokenRequest } from "./attacks.ts";
import { measureGrowth } from "./growth.ts";
import { isAfter, medianOf, quantileOf, repeat } from "./numbers.ts";
import { type TrialServer, withServer } from "./server.ts";
import { storeUrl } from "./stores.ts";
import { countAlike, type Trial, type TrialReport } from "./trial.ts";
import { createTrialUser, type TrialUser } from "./user.ts";

/** How servers are kept busy. */
export interface SoakOptions {
  minutes: number;
  stores: readonly string[];
  /** How long honest users are watched, in milliseconds. */
  duration: number;
  /** How many connections are idle, and how many are busy in the larger loads. */
  connections: readonly [idle: number, ...busy: number[]];
  /** Whether slow bodies go on until the server has ended them. */
  untilEnded: boolean;
  /** Whether other programs decide how long anyone waits: then waits are not judged. */
  isBusy: boolean;
}

/** What an honest user does again and again. */
interface Deed {
  /** Returns a status. */
  act(): Promise<string>;
  /**
   * How long the slowest of a hundred may take, in milliseconds. Without it, half of them may take
   * twice as long as usual.
   */
  limit?: number;
  /** Whether 503 is right on a machine that is busy. */
  mayBeRefused?: boolean;
}

/** What honest users do, by what they get. */
type Deeds = Readonly<Record<string, Deed>>;

const maxSlowdown = 2;

/** How many connections keep a server as busy as it can be: more bring nothing. */
const saturating = 64;

/** How far requests of an honest sender are apart, in milliseconds. */
const interval = 100;

/** When an honest request has failed, in milliseconds. */
const timeout = 20_000;

/** How long the connections that a load has opened may take to be accepted, in milliseconds. */
const settling = 3_000;

/**
 * Returns the trials of a runtime: mixed load with flat memory, attacks beside which an honest user
 * is served, and more than a server can handle.
 */
export function soakTrials(
  runtime: string,
  command: readonly string[],
  options: SoakOptions,
): Trial[] {
  const trial = (
    title: string,
    measure: (server: TrialServer, store: string) => Promise<TrialReport>,
    name = "memory",
  ): Trial => ({
    title: `${runtime}${title}`,
    run(folder) {
      const store = storeUrl(name, folder);
      return withServer({ command, folder, store }, (server) => measure(server, store));
    },
  });
  const grow = (server: TrialServer, store: string) =>
    measureGrowth(server, store, options.minutes);
  return [
    ...options.stores.map((name) => trial(`, ${name}: mixed load`, grow, name)),
    trial(": attacks", (server) => measureAttacks(server, options)),
    trial(": overload", (server) => measureOverload(server, options)),
  ];
}

/** Attacks a server, each time beside an honest user. */
async function measureAttacks(server: TrialServer, options: SoakOptions): Promise<TrialReport> {
  const { connections: [idle], untilEnded } = options;
  const kit = server.kit("198.51.100.200");
  const user = createTrialUser(kit);
  // Only the first flow begins with a sign-in.
  await completeFlow(user);
  const honest = createHonest(server, options, {
    tokens: { act: () => completeFlow(user) },
    "a sign-in": { act: () => completeFlow(createTrialUser(kit)) },
  });
  for (const attack of modestAttacks(idle, untilEnded)) await honest.watchDuring(attack);
  return honest.report;
}

/** Returns the status at which a flow ends. */
async function completeFlow(user: TrialUser): Promise<string> {
  const { status, text, body } = await user.redeem(await user.signIn());
  if (status !== 200) return `${status} ${text}`;
  return `${(await user.userinfo(body.access_token)).status}`;
}

/** Sends a server more than it can handle, in every way; others must not be crowded out. */
async function measureOverload(server: TrialServer, options: SoakOptions): Promise<TrialReport> {
  const { connections: [, ...larger], isBusy } = options;
  const { watchDuring, report } = createHonest(server, options, {
    "/health": { act: () => statusOf(server, rawGet("/health")), limit: 500 },
    "a token": { act: () => statusOf(server, tokenRequest), limit: 1_000, mayBeRefused: isBusy },
  });
  const busy = (connections: number) =>
    busyConnections(`${connections} busy connections`, { connections });
  const { "200": served = 0 } = await watchDuring(busy(saturating));
  // They send their share at the beginning of each second.
  const share = { connections: saturating, overallRate: Math.floor(0.8 * served) };
  const { "503": refused = 0 } = await watchDuring(busyConnections("80 % of that", share));
  if (refused > 0 && !isBusy) {
    report.problems.push(`${refused} requests a second are refused at 80 %.`);
  }
  for (const count of [2 * saturating, ...larger]) await watchDuring(busy(count));
  const pipelining = { connections: 100, pipelining: 50 };
  await watchDuring(busyConnections("100 connections that pipeline 50 requests", pipelining));
  await watchDuring(signIns(1000));
  return report;
}

/** Sends a request on a connection of its own, and returns the status. */
async function statusOf(server: TrialServer, request: string): Promise<string> {
  const connection = await openRawConnection(server.port);
  connection.send(request);
  await Promise.race([connection.until(/\r\n\r\n/), connection.ended, delay(timeout)]);
  connection.destroy();
  return connection.received().slice(9, 12) || "no response";
}

/** Creates honest users, who report how long they wait, and what they get but 200. */
function createHonest(server: TrialServer, { duration, isBusy }: SoakOptions, deeds: Deeds) {
  const [figures, problems]: [string[], string[]] = [[], []];
  const compared = Object.fromEntries(
    Object.entries(deeds).filter(([, { limit }]) => limit === undefined),
  );

  /** Watches them during an attack, and returns what the attacker has seen. */
  async function watchDuring({ name, begin }: Attack): Promise<Record<string, number>> {
    // In turn: other programs are busy, too.
    const usual = await watch(compared, duration);
    const stop = await begin(server);
    const watching = delay(Math.min(settling, duration)).then(() => watch(deeds, duration));
    const [watched] = await Promise.allSettled([watching]);
    const seen = await stop();
    if (watched.status === "rejected") throw watched.reason;
    // What still waits is refused by then.
    await delay(interval * 10);
    const { rss } = await server.ask("/usage");
    const words = Object.entries(deeds).map(([what, { limit, mayBeRefused = false }]) => {
      const { waits, others } = present(watched.value.get(what));
      const [median, p99] = [medianOf(waits), quantileOf(waits, 0.99)];
      const slowdown = median / medianOf(usual.get(what)?.waits ?? [median]);
      const isSlow = limit === undefined ? slowdown > maxSlowdown : p99 > limit;
      const times = limit === undefined ? ` (${slowdown.toFixed(1)} times as usual)` : "";
      const waited = `${what} p50 ${median.toFixed(0)} ms${times}, p99 ${p99.toFixed(0)} ms`;
      if (isSlow && !isBusy) problems.push(`During ${name}: ${waited}.`);
      const wrong = others.filter((status) => !(mayBeRefused && status === "503"));
      const sentences = wrong.map((status) => `During ${name}: ${what} ended with ${status}.`);
      problems.push(...countAlike(sentences));
      return `${waited}, ${others.length} not 200`;
    });
    const counts = Object.entries(seen).map(([what, count]) => `${what} × ${count}`).join(", ");
    const memory = `process ${(rss / 1024 / 1024).toFixed(0)} MB`;
    figures.push([`${name} (${counts})`, ...words, memory].join("; "));
    return seen;
  }

  return { watchDuring, report: { figures, problems } };
}

/** Returns how long each deed took each time, in milliseconds, and what came that was not 200. */
async function watch(deeds: Deeds, duration: number) {
  const isOver = isAfter(duration);
  const all = Object.entries(deeds).map(async ([what, { act }]) => {
    const others: string[] = [];
    const note = async () => {
      const status = await act();
      if (status !== "200") others.push(status);
    };
    return [what, { waits: await repeat(note, { isOver, interval }), others }] as const;
  });
  return new Map(await Promise.all(all));
}
