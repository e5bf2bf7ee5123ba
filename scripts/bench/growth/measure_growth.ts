/**
 * Measures a server in this process, on any runtime, and prints JSON.
 *
 *   node --expose-gc measure_growth.js memory ALG FLOWS
 *   node measure_growth.js rows ALG STORE PRESENT COUNT
 */
import process from "node:process";
import { openStore } from "../../../src/program/operate/open_store.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { median } from "../table.ts";
import { fillStore, openLiveServer, sweepAll } from "./live_server.ts";

/** What a runtime offers to collect garbage, if it is asked to. */
declare const globalThis: { gc?: () => void; Bun?: { gc(force: boolean): void } };

/** How much of the heap flows occupy, in bytes. */
export interface MemoryFigures {
  /** Of one flow, as long as its tokens can be used. */
  perFlow: number;
  /** Of all flows, once their rows have expired and are deleted. */
  left: number;
}

/** How long operations take, in microseconds: in this process, or with a store of its own. */
export interface RowFigures {
  flow: number;
  introspect: number;
}

const connections = 16;
const warmUp = 500;
const rounds = 9;
const flowsPerRound = 200;
const introspectionsPerRound = 400;

const [part, alg, ...rest] = process.argv.slice(2) as ["memory" | "rows", "ES256", ...string[]];
const figures = part === "memory" ? await measureMemory() : await measureRows();
console.log(JSON.stringify(figures));
process.exit(0);

async function measureMemory(): Promise<MemoryFigures> {
  const flows = Number(rest[0]);
  const server = await openLiveServer(memoryStore(), alg);
  await repeat(warmUp, server.flow);
  await server.restart();
  const before = heapSize();
  await repeat(flows, server.flow);
  const perFlow = (heapSize() - before) / flows;
  await server.restart();
  return { perFlow, left: heapSize() - before };
}

async function measureRows(): Promise<RowFigures> {
  const [address = "", present, count] = rest;
  const store = await openStore(address, { isRealTime: false });
  const now = address.includes("://") ? realTime : cpuTime;
  await fillStore(store, alg, Number(present), Number(count));
  const server = await openLiveServer(store, alg);
  const flow: number[] = [];
  const introspect: number[] = [];
  // The first rounds compile the code.
  for (let round = -4; round < rounds; round++) {
    // Otherwise the rows of the rounds themselves would add up.
    await server.restart();
    const token = await server.flow();
    const timeOfFlow = await timeOf(now, flowsPerRound, server.flow);
    const timeOfCheck = await timeOf(now, introspectionsPerRound, () => server.introspect(token));
    if (round < 0) continue;
    flow.push(timeOfFlow);
    introspect.push(timeOfCheck);
  }
  await sweepAll(store);
  return { flow: median(flow), introspect: median(introspect) };
}

async function timeOf(
  now: () => number,
  times: number,
  act: () => Promise<unknown>,
): Promise<number> {
  const start = now();
  await repeat(times, act);
  return (now() - start) / times;
}

/** The CPU time of this process, in microseconds. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** The time, in microseconds: a store that is another process takes its own. */
function realTime(): number {
  return performance.now() * 1000;
}

/** Acts a number of times, as by many connections: they share the commits of a store. */
async function repeat(times: number, act: () => Promise<unknown>): Promise<void> {
  let started = 0;
  const connection = async () => {
    while (started++ < times) await act();
  };
  await Promise.all(Array.from({ length: connections }, connection));
}

/** Returns the size of what is in use, in bytes. */
function heapSize(): number {
  const collect = globalThis.gc ?? (() => globalThis.Bun?.gc(true));
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
