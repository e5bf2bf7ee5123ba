import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { formPost, openRawConnection, rawGet } from "../../tests/support/raw_connection.ts";
import { binary } from "../downloads.ts";
import { service } from "../trials/directory.ts";
import { joinReports, type TrialReport } from "../trials/trial.ts";
import type { TrialServer } from "../trials/trial_server.ts";
import type { RunningAttack } from "./attack.ts";
import type { BusyLoad, BusyReport } from "./busy_connections.ts";
import { withOpenFiles } from "./connection_attacks.ts";
import { floods } from "./floods.ts";

/** How overload is measured. */
export interface OverloadOptions {
  /** How long each load lasts once its connections are open, in milliseconds. */
  duration: number;
  /** How many connections keep a server as busy as it can be: more bring nothing. */
  saturating: number;
  /** How many connections the larger loads have. */
  connections: readonly number[];
  /** Whether other programs decide how long anyone waits: then waits are not judged. */
  isBusy: boolean;
}

/** A load, while it runs. */
interface RunningLoad {
  /** Ends it, and returns what its senders saw; in words, if not as figures. */
  stop(): Promise<BusyReport | string>;
}

/** What others than the senders of a load see: times in milliseconds, sorted. */
interface Seen {
  health: number[];
  /** Of requests that were served. */
  tokens: number[];
  refused: number;
  /** What else came, such as another status. */
  failures: string[];
}

/** How long the slowest of a hundred may take, in milliseconds: a probe, and a token. */
const limits = { health: 500, tokens: 1_000 };

/** How far requests of an honest sender are apart, and probes, in milliseconds. */
const interval = 100;

/** How long the connections that a load has opened may take to be accepted, in milliseconds. */
const settling = 3_000;

const form =
  `grant_type=client_credentials&client_id=${service.id}&client_secret=${service.secret}`;
const tokenRequest = `${formPost("/oauth2/token", form.length)}${form}`;

/** The same from the network of the load, which must not crowd out others. */
const loadRequest = tokenRequest.replace("\r\n", "\r\nX-Forwarded-For: 203.0.113.66\r\n");

/** Measures how a server stands more than it can handle, and what it refuses before that. */
export async function measureOverload(
  server: TrialServer,
  { duration, saturating, connections, isBusy }: OverloadOptions,
): Promise<TrialReport> {
  const measure = (name: string, load: () => Promise<RunningLoad>) =>
    measureLoad(server, { name, load, duration, isBusy });
  const busy = (load: Partial<BusyLoad>) => () =>
    startBusy(server.port(), { connections: saturating, pipelined: 1, perSecond: 0, ...load });
  const saturated = await measure(`${saturating} busy connections`, busy({}));
  const perSecond = Math.floor(0.8 * saturated.served);
  const reports = [saturated];
  const steady = await measure("80 % of that", busy({ perSecond }));
  if (steady.refused > 0 && !isBusy) {
    steady.problems.push(`${steady.refused} requests a second are refused at 80 %.`);
  }
  reports.push(steady);
  for (const count of [2 * saturating, ...connections]) {
    reports.push(await measure(`${count} busy connections`, busy({ connections: count })));
  }
  const pipelining = { connections: 100, pipelined: 50 };
  reports.push(await measure("100 connections that pipeline 50 requests", busy(pipelining)));
  reports.push(await measure("a flood of sign-ins", () => startSignIns(server)));
  return joinReports(reports);
}

/** What a load has shown. */
interface LoadReport {
  figures: string[];
  problems: string[];
  served: number;
  refused: number;
}

async function measureLoad(
  server: TrialServer,
  { name, load, duration, isBusy }: Pick<OverloadOptions, "duration" | "isBusy"> & {
    name: string;
    load: () => Promise<RunningLoad>;
  },
): Promise<LoadReport> {
  const running = await load();
  await wait(Math.min(settling, duration));
  const { health, tokens, refused, failures } = await look(server.port(), duration);
  const seen = await running.stop();
  const { perSecond }: BusyReport = typeof seen === "string" ? { perSecond: {} } : seen;
  // What still waits is refused by then.
  await wait(interval * 10);
  const { rss } = await server.usage();
  const { "200": served = 0, "503": refusedOfLoad = 0 } = perSecond;
  const words = typeof seen === "string"
    ? seen
    : `${served} served and ${refusedOfLoad} refused in a second`;
  const slow = [
    slowness("/health", slowestOf(health), limits.health),
    slowness("a token", slowestOf(tokens), limits.tokens),
    refused > 0 ? `${refused} requests of others are refused` : undefined,
  ].flatMap((problem) => problem && !isBusy ? [`${problem} during ${name}.`] : []);
  return {
    served,
    refused: refusedOfLoad,
    figures: [
      `${name}: ${words}; ` +
      `/health ${timesOf(health)}; tokens of others ${timesOf(tokens)}, ${refused} refused; ` +
      `process ${(rss / 1024 / 1024).toFixed(0)} MB`,
    ],
    problems: [...slow, ...failures],
  };
}

/** Sends probes and honest requests, each on a connection of its own. */
async function look(port: number, duration: number): Promise<Seen> {
  const seen: Seen = { health: [], tokens: [], refused: 0, failures: [] };
  const note = async (request: string, times: number[]) => {
    const { status, time } = await sendOnce(port, request);
    if (status === "200") times.push(time);
    else if (status === "503" && times === seen.tokens) seen.refused++;
    else seen.failures.push(`An honest request ended with: ${status || "no response"}.`);
  };
  const sent: Promise<void>[] = [];
  for (const end = performance.now() + duration; performance.now() < end;) {
    sent.push(note(rawGet("/health"), seen.health), note(tokenRequest, seen.tokens));
    await wait(interval);
  }
  await Promise.all(sent);
  for (const times of [seen.health, seen.tokens]) times.sort((a, b) => a - b);
  return seen;
}

async function sendOnce(port: number, request: string) {
  const start = performance.now();
  const connection = await openRawConnection(port);
  connection.send(request);
  await Promise.race([connection.until(/\r\n\r\n/), connection.ended]);
  const status = connection.received().slice(9, 12);
  connection.destroy();
  return { status, time: performance.now() - start };
}

/** Starts the process that keeps connections busy, and resolves when they are open. */
async function startBusy(port: number, load: BusyLoad): Promise<RunningLoad> {
  const script = "scripts/soak/busy_connections.ts";
  const words = [`${port}`, JSON.stringify(load), loadRequest];
  const command = [await binary("node@24"), script, ...words];
  const [program = "", ...args] = withOpenFiles(command);
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    async stop() {
      child.stdin.end();
      const { value } = await lines.next();
      await ended;
      return JSON.parse(`${value}`);
    },
  };
}

/** Starts the flood of sign-ins, from one network, as fast as the pages allow. */
async function startSignIns(server: TrialServer): Promise<RunningLoad> {
  const flood = floods.find(({ name }) => name.includes("sign-ins"));
  const strength = { perSecond: 1000, connections: 0, untilEnded: true };
  const running: RunningAttack | undefined = await flood?.begin(server, strength);
  return { stop: async () => await running?.stop() ?? "" };
}

function slowestOf(times: readonly number[]): number {
  return times[Math.floor(times.length * 0.99)] ?? 0;
}

function slowness(what: string, time: number, limit: number): string | undefined {
  return time > limit ? `${what} takes ${time.toFixed(0)} ms` : undefined;
}

function timesOf(times: readonly number[]): string {
  const median = times[Math.floor(times.length / 2)] ?? 0;
  return `p50 ${median.toFixed(0)} ms, p99 ${slowestOf(times).toFixed(0)} ms`;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
