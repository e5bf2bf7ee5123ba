import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { commandFor, type Program, startProgram } from "../../tests/support/program.ts";
import type { Engine, OpenEngine } from "./engines.ts";
import { createLedger, findLosses, type Ledger } from "./ledger.ts";
import { type Random, sendLoad } from "./load.ts";
import { crashConfig, createServerClient, type ServerClient } from "./server_client.ts";

/** What a campaign has shown. */
export interface CrashReport {
  rounds: number;
  /** How many responses were acknowledged before the crashes. */
  acknowledged: number;
  /** What the server has lost or brought back. */
  losses: string[];
}

export interface CrashOptions {
  rounds: number;
  random: Random;
  folder: string;
  /** Called after each round. */
  onRound?: ((report: CrashReport) => void) | undefined;
}

/** How long a server may take for one round, in milliseconds: slow machines exist. */
const roundTimeout = 5 * 60 * 1000;

/** The longest life of a server that is killed during its first start, in milliseconds. */
const maxFirstStart = 1500;

/** Kills a server under load again and again, and looks each time for what it acknowledged. */
export async function killUnderLoad(engine: Engine, options: CrashOptions): Promise<CrashReport> {
  const { config } = await openCampaign(engine, options.folder);
  const report = createReport();
  const cookies = new Map<string, string>();
  let ledger = createLedger();
  for (let round = 0; round <= options.rounds; round++) {
    const program = await start(config);
    const client = createServerClient(program.issuer, cookies);
    try {
      report.losses.push(...await findLosses(client, ledger));
      ledger = createLedger([...ledger.keys, ...await client.keys()]);
      if (round < options.rounds) await loadAndKill(program, client, ledger, options);
    } finally {
      await program.stop("SIGKILL");
    }
    if (round > 0) count(report, 0, options);
    report.acknowledged += ledger.acknowledged;
  }
  return report;
}

/** Sends load, and kills the server right after one of its responses. */
async function loadAndKill(
  program: Program,
  client: ServerClient,
  ledger: Ledger,
  { random }: CrashOptions,
): Promise<void> {
  const last = 1 + Math.floor(random() * 60);
  if (await client.authorize() === undefined) throw new Error("The user is no longer signed in.");
  let killed: Promise<unknown> | undefined;
  const isOver = () => {
    if (ledger.acknowledged >= last) killed ??= program.stop("SIGKILL");
    return killed !== undefined;
  };
  await sendLoad(client, ledger, { random, isOver });
  await killed;
}

/** Kills the store's own process under load. The server stays, and goes on by itself. */
export async function killEngine(engine: Engine, options: CrashOptions): Promise<CrashReport> {
  const { config, open } = await openCampaign(engine, options.folder);
  const report = createReport();
  const program = await start(config);
  const cookies = new Map<string, string>();
  const client = createServerClient(program.issuer, cookies);
  try {
    await client.authorize();
    for (let round = 0; round < options.rounds; round++) {
      const ledger = createLedger(await client.keys());
      await loadAndRestart(open, client, ledger, options.random);
      await untilHealthy(program.issuer);
      report.losses.push(...await findLosses(client, ledger));
      count(report, ledger.acknowledged, options);
    }
  } finally {
    await program.stop("SIGKILL");
  }
  return report;
}

async function loadAndRestart(
  { server }: OpenEngine,
  client: ServerClient,
  ledger: Ledger,
  random: Random,
): Promise<void> {
  const last = 1 + Math.floor(random() * 60);
  let killed: Promise<void> | undefined;
  const isOver = () => {
    if (ledger.acknowledged >= last) killed ??= server?.kill();
    return killed !== undefined;
  };
  await sendLoad(client, ledger, { random, isOver });
  await killed;
  await server?.start();
}

/** Kills servers while they start for the first time. The next start must find a usable store. */
export async function killFirstStart(engine: Engine, options: CrashOptions): Promise<CrashReport> {
  const { config } = await openCampaign(engine, options.folder);
  const report = createReport();
  for (let round = 0; round < options.rounds; round++) {
    await startAndKill(config, options.random() * maxFirstStart);
    count(report, 0, options);
  }
  const program = await start(config);
  try {
    const client = createServerClient(program.issuer, new Map());
    const ledger = createLedger(await client.keys());
    const keys = [...ledger.keys];
    const algs = new Set(keys.map((key) => key.split(" ")[0]));
    if (keys.length > algs.size) report.losses.push(`Too many signing keys: ${keys.join(", ")}.`);
    ledger.codes.add(await client.authorize() ?? "");
    report.losses.push(...await findLosses(client, ledger));
  } finally {
    await program.stop("SIGKILL");
  }
  return report;
}

async function startAndKill(config: string, life: number): Promise<void> {
  const [program = "", ...args] = commandFor("src/main.ts");
  const child = spawn(program, [...args, "serve", "--config", config], { stdio: "ignore" });
  const ended = once(child, "exit");
  const timer = setTimeout(() => process.kill(child.pid ?? NaN, "SIGKILL"), life);
  await ended;
  clearTimeout(timer);
}

/** Opens an empty store, and writes the configuration of servers that use it. */
export async function openCampaign(
  engine: Engine,
  folder: string,
): Promise<{ config: string; open: OpenEngine }> {
  const open = await engine.open(folder);
  const config = join(folder, "hallpass.json");
  await writeFile(config, JSON.stringify(crashConfig(open.store)));
  return { config, open };
}

/** Starts a server, with a command of its own if `wrap` names a program that runs it. */
function start(config: string, wrap: readonly string[] = []): Promise<Program> {
  const command = [...wrap, ...commandFor("src/main.ts")];
  return startProgram(["serve", "--config", config], {}, command, roundTimeout);
}

/** Starts a server, and ends it after `act`, however that ends. */
export async function withServer(
  config: string,
  act: (issuer: string) => Promise<void>,
  wrap?: readonly string[],
): Promise<void> {
  const program = await start(config, wrap);
  try {
    await act(program.issuer);
  } finally {
    await program.stop("SIGKILL");
  }
}

/**
 * Waits until the server has reconnected to its store: an unknown interaction is looked up there.
 */
async function untilHealthy(issuer: string): Promise<void> {
  while (true) {
    const response = await fetch(`${issuer}/oauth2/interaction/unknown`);
    await response.arrayBuffer();
    if (response.status < 500) return;
  }
}

function createReport(): CrashReport {
  return { rounds: 0, acknowledged: 0, losses: [] };
}

function count(report: CrashReport, acknowledged: number, { onRound }: CrashOptions): void {
  report.rounds++;
  report.acknowledged += acknowledged;
  onRound?.(report);
}
