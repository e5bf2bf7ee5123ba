import { setTimeout as delay } from "node:timers/promises";
import { openRawConnection, rawGet } from "../../tests/support/raw_connection.ts";
import { type Attack, busyConnections, modestAttacks, signIns, tokenRequest } from "./attacks.ts";
import { isAfter, medianOf, quantileOf, repeat } from "./numbers.ts";
import type { TrialServer } from "./server.ts";
import { countAlike, type TrialReport } from "./trial.ts";
import { createTrialUser, type TrialUser } from "./user.ts";

/** How attacks and overload are measured. */
export interface AttackOptions {
  /** How long honest users are watched, in milliseconds. */
  duration: number;
  /** How many connections are idle, and how many are busy in the larger loads. */
  connections: readonly [idle: number, ...busy: number[]];
  /** Whether slow bodies go on until the server has ended them. */
  untilEnded: boolean;
  /** Whether other programs decide how long anyone waits: then waits are not judged. */
  isBusy: boolean;
}

/** What honest users do again and again, by what they get. */
type Deeds = Readonly<Record<string, () => Promise<unknown>>>;

/** How much longer than usual an honest user may wait. */
const maxSlowdown = 2;

/** How long the slowest of a hundred may take, in milliseconds. */
const limits = { "/health": 500, "a token": 1_000 };

/** How many connections keep a server as busy as it can be: more bring nothing. */
const saturating = 64;

/** How far requests of an honest sender are apart, in milliseconds. */
const interval = 100;

/** When an honest request has failed, in milliseconds. */
const timeout = 20_000;

/** How long the connections that a load has opened may take to be accepted, in milliseconds. */
const settling = 3_000;

/** Attacks a server, each time beside an honest user. */
export async function measureAttacks(
  server: TrialServer,
  { duration, connections: [idle], untilEnded, isBusy }: AttackOptions,
): Promise<TrialReport> {
  const kit = server.kit("198.51.100.200");
  const user = createTrialUser(kit);
  // The first one signs in.
  await completeFlow(user);
  const deeds = {
    tokens: () => completeFlow(user),
    "a sign-in": () => completeFlow(createTrialUser(kit)),
  };
  const [figures, problems]: [string[], string[]] = [[], []];
  for (const attack of modestAttacks(idle, untilEnded)) {
    // In turn: other programs are busy, too.
    const usual = await watch(deeds, duration);
    const { look, seen } = await lookDuring(server, attack, () => watch(deeds, duration));
    const ratios = [...look].map(([what, waits]) =>
      [what, medianOf(waits) / medianOf(usual.get(what) ?? [])] as const
    );
    const times = ratios.map(([what, ratio]) => `${ratio.toFixed(1)} times as usual for ${what}`);
    const waits = `an honest user waits ${times.join(", ")}`;
    figures.push(`${attack.name} (${seen}): ${waits}`);
    const isSlow = ratios.some(([, ratio]) => ratio > maxSlowdown);
    if (isSlow && !isBusy) problems.push(`During ${attack.name} ${waits}.`);
  }
  return { figures, problems };
}

/** Throws if the user is refused. */
async function completeFlow(user: TrialUser): Promise<void> {
  const tokens = await user.redeem(await user.signIn());
  const claims = await user.userinfo(tokens.body.access_token);
  if (tokens.status === 200 && claims.status === 200) return;
  throw new Error(`An honest user is refused: ${tokens.status} ${claims.status} ${tokens.text}`);
}

/** Sends a server more than it can handle, in every way; others must not be crowded out. */
export async function measureOverload(
  server: TrialServer,
  { duration, connections: [, ...larger], isBusy }: AttackOptions,
): Promise<TrialReport> {
  const [figures, problems]: [string[], string[]] = [[], []];
  const measure = async (attack: Attack) => {
    const failures: string[] = [];
    let refused = 0;
    const deeds = {
      "/health": async () => {
        const status = await statusOf(server, rawGet("/health"));
        if (status !== "200") failures.push(`A probe ended with: ${status}.`);
      },
      "a token": async () => {
        const status = await statusOf(server, tokenRequest);
        if (status === "503") refused++;
        else if (status !== "200") failures.push(`An honest request ended with: ${status}.`);
      },
    };
    const { look, seen, counts } = await lookDuring(server, attack, async () => {
      await delay(Math.min(settling, duration));
      return await watch(deeds, duration);
    });
    // What still waits is refused by then.
    await delay(interval * 10);
    const { rss } = await server.ask("/usage");
    const times = [...look].map(([what, waits]) =>
      `${what} p50 ${medianOf(waits).toFixed(0)} ms, p99 ${quantileOf(waits, 0.99).toFixed(0)} ms`
    );
    const memory = `process ${(rss / 1024 / 1024).toFixed(0)} MB`;
    const others = `${refused} requests of others are refused`;
    figures.push([`${attack.name}: ${seen}`, ...times, others, memory].join("; "));
    problems.push(...countAlike(failures));
    if (isBusy) return counts;
    for (const [what, limit] of Object.entries(limits)) {
      const slowest = quantileOf(look.get(what) ?? [], 0.99);
      if (slowest <= limit) continue;
      problems.push(`${what} takes ${slowest.toFixed(0)} ms during ${attack.name}.`);
    }
    if (refused > 0) problems.push(`${others} during ${attack.name}.`);
    return counts;
  };
  const busy = (connections: number) =>
    busyConnections(`${connections} busy connections`, { connections });
  const { "200": served = 0 } = await measure(busy(saturating));
  // They send their share at the beginning of each second.
  const share = { connections: saturating, overallRate: Math.floor(0.8 * served) };
  const { "503": refused = 0 } = await measure(busyConnections("80 % of that", share));
  if (refused > 0 && !isBusy) problems.push(`${refused} requests a second are refused at 80 %.`);
  for (const count of [2 * saturating, ...larger]) await measure(busy(count));
  const pipelining = { connections: 100, pipelining: 50 };
  await measure(busyConnections("100 connections that pipeline 50 requests", pipelining));
  await measure(signIns(1000));
  return { figures, problems };
}

/** Sends a request on a connection of its own, and returns the status. */
async function statusOf(server: TrialServer, request: string): Promise<string> {
  const connection = await openRawConnection(server.port());
  connection.send(request);
  await Promise.race([connection.until(/\r\n\r\n/), connection.ended, delay(timeout)]);
  connection.destroy();
  return connection.received().slice(9, 12) || "no response";
}

/** Returns how long each deed takes each time, in milliseconds. */
async function watch(deeds: Deeds, duration: number): Promise<Map<string, number[]>> {
  const isOver = isAfter(duration);
  const all = Object.entries(deeds).map(async ([what, act]) =>
    [what, await repeat(act, { isOver, interval })] as const
  );
  return new Map(await Promise.all(all));
}

/** Looks at a server while it is attacked. */
async function lookDuring<T>(server: TrialServer, { begin }: Attack, act: () => Promise<T>) {
  const stop = await begin(server);
  const [result] = await Promise.allSettled([act()]);
  const counts = await stop();
  if (result.status === "rejected") throw result.reason;
  const seen = Object.entries(counts).map(([what, count]) => `${what} × ${count}`).join(", ");
  return { look: result.value, seen, counts };
}
