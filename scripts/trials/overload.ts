import { setTimeout as delay } from "node:timers/promises";
import { openRawConnection, rawGet } from "../../tests/support/raw_connection.ts";
import { type Attack, busyConnections, modestAttacks, signIns, tokenRequest } from "./attacks.ts";
import { isAfter, medianOf, quantileOf, repeat } from "./numbers.ts";
import type { TrialServer } from "./server.ts";
import { countAlike, type TrialReport } from "./trial.ts";
import { createTrialUser, type TrialUser } from "./user.ts";

/** How attacks are measured. */
export interface AttackOptions {
  /** How many idle connections there are. */
  connections: number;
  untilEnded: boolean;
  /** How often the user is measured without and with the attack. */
  rounds: number;
  /** How many flows of each kind are measured each time. */
  counts: { flows: number; signIns: number };
  /** Whether other programs decide how long anyone waits: then waits are not judged. */
  isBusy: boolean;
}

/** How overload is measured. */
export interface OverloadOptions {
  /** How long each load lasts once its connections are open, in milliseconds. */
  duration: number;
  /** How many connections the larger loads have. */
  connections: readonly number[];
  isBusy: boolean;
}

/** How much longer than usual an honest user may wait. */
const maxSlowdown = 2;

/** How long the slowest of a hundred may take, in milliseconds. */
const limits = { "/health": 500, "a token": 1_000 };

/** How many connections keep a server as busy as it can be: more bring nothing. */
const saturating = 64;

/** How far requests of an honest sender are apart, and probes, in milliseconds. */
const interval = 100;

/** When an honest request has failed, in milliseconds. */
const timeout = 20_000;

/** How long the connections that a load has opened may take to be accepted, in milliseconds. */
const settling = 3_000;

/** Attacks a server, each time beside an honest user. */
export async function measureAttacks(
  server: TrialServer,
  { connections, untilEnded, rounds, counts, isBusy }: AttackOptions,
): Promise<TrialReport> {
  const kit = server.kit("198.51.100.200");
  const user = createTrialUser(kit);
  // The first one signs in.
  await completeFlow(user);
  const waitsOf = async () => {
    const medianWait = async (act: () => Promise<void>, times: number) =>
      medianOf(await repeat(act, { isOver: (count) => count >= times }));
    const signIn = () => completeFlow(createTrialUser(kit));
    return [
      await medianWait(() => completeFlow(user), counts.flows),
      await medianWait(signIn, counts.signIns),
    ];
  };
  const [figures, problems]: [string[], string[]] = [[], []];
  for (const attack of modestAttacks(connections, untilEnded)) {
    const [usual, attacked]: [number[][], number[][]] = [[], []];
    let seen = "";
    // In turn: other programs are busy, too.
    for (let round = 0; round < rounds; round++) {
      usual.push(await waitsOf());
      const during = await lookDuring(server, attack, waitsOf);
      attacked.push(during.look);
      seen = wordsOf(during.seen);
    }
    const middle = (rounds: number[][], kind: number) =>
      medianOf(rounds.map((waits) => waits[kind] ?? NaN));
    const ratios = [0, 1].map((kind) => middle(attacked, kind) / middle(usual, kind));
    const [flow, signIn] = ratios.map((ratio) => `${ratio.toFixed(1)} times`);
    const waits =
      `an honest user waits ${flow} as long as usual for tokens, ${signIn} for a sign-in`;
    figures.push(`${attack.name} (${seen}): ${waits}`);
    if (Math.max(...ratios) > maxSlowdown && !isBusy) {
      problems.push(`During ${attack.name} ${waits}.`);
    }
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
  { duration, connections, isBusy }: OverloadOptions,
): Promise<TrialReport> {
  const [figures, problems]: [string[], string[]] = [[], []];
  const measure = async (attack: Attack) => {
    const { look, seen } = await lookDuring(server, attack, async () => {
      await delay(Math.min(settling, duration));
      return await sendHonestRequests(server.port(), duration);
    });
    // What still waits is refused by then.
    await delay(interval * 10);
    const { rss } = await server.ask("/usage");
    const { waits, refused, failures } = look;
    const times = Object.entries(waits).map(([what, all]) =>
      `${what} p50 ${medianOf(all).toFixed(0)} ms, p99 ${quantileOf(all, 0.99).toFixed(0)} ms`
    );
    const memory = `process ${(rss / 1024 / 1024).toFixed(0)} MB`;
    const others = `${refused} requests of others are refused`;
    figures.push([`${attack.name}: ${wordsOf(seen)}`, ...times, others, memory].join("; "));
    problems.push(...countAlike(failures));
    if (isBusy) return seen;
    for (const what of ["/health", "a token"] as const) {
      const slowest = quantileOf(waits[what], 0.99);
      if (slowest <= limits[what]) continue;
      problems.push(`${what} takes ${slowest.toFixed(0)} ms during ${attack.name}.`);
    }
    if (refused > 0) problems.push(`${others} during ${attack.name}.`);
    return seen;
  };
  const busy = (connections: number) =>
    busyConnections(`${connections} busy connections`, { connections });
  const { "200": served = 0 } = await measure(busy(saturating));
  // They send their share at the beginning of each second.
  const share = { connections: saturating, overallRate: Math.floor(0.8 * served) };
  const { "503": refused = 0 } = await measure(busyConnections("80 % of that", share));
  if (refused > 0 && !isBusy) problems.push(`${refused} requests a second are refused at 80 %.`);
  for (const count of [2 * saturating, ...connections]) await measure(busy(count));
  const pipelining = { connections: 100, pipelining: 50 };
  await measure(busyConnections("100 connections that pipeline 50 requests", pipelining));
  await measure(signIns(1000));
  return { figures, problems };
}

/** Looks at a server while it is attacked. */
async function lookDuring<T>(server: TrialServer, { begin }: Attack, act: () => Promise<T>) {
  const stop = await begin(server);
  const [result] = await Promise.allSettled([act()]);
  const seen = await stop();
  if (result.status === "rejected") throw result.reason;
  return { look: result.value, seen };
}

/** Sends probes and honest requests, each on a connection of its own. */
async function sendHonestRequests(port: number, duration: number) {
  const waits: Record<keyof typeof limits, number[]> = { "/health": [], "a token": [] };
  const failures: string[] = [];
  let refused = 0;
  const send = async (what: keyof typeof waits, request: string) => {
    const start = performance.now();
    const connection = await openRawConnection(port);
    connection.send(request);
    await Promise.race([connection.until(/\r\n\r\n/), connection.ended, delay(timeout)]);
    const status = connection.received().slice(9, 12);
    connection.destroy();
    if (status === "200") waits[what].push(performance.now() - start);
    else if (status === "503" && what === "a token") refused++;
    else failures.push(`An honest request ended with: ${status || "no response"}.`);
  };
  const sent: Promise<void>[] = [];
  for (const isOver = isAfter(duration); !isOver();) {
    sent.push(send("/health", rawGet("/health")), send("a token", tokenRequest));
    await delay(interval);
  }
  await Promise.all(sent);
  return { waits, refused, failures };
}

function wordsOf(seen: Readonly<Record<string, number>>): string {
  return Object.entries(seen).map(([what, count]) => `${what} × ${count}`).join(", ");
}
