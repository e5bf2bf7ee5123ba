/**
 * Measures what a server costs beside its floor, what its first flows cost, how long reads wait for
 * writes, and what a lab costs a test suite. The number to trust is the CPU time of the server for
 * each operation, beside the floor of the same run.
 *
 *   deno task bench [server] [first] [mixed] [kit] [startup]
 *                   [--runtime node --runtime bun] [--store memory] [--alg ES256]
 *                   [--rounds 7] [--operations 1000] [--only flow] [--beside FILE]...
 *                   [--lab] [--peers]
 */
import { parseArgs } from "node:util";
import { runTrials, type Trial } from "../trials/trial.ts";
import { compareKits, measureKits } from "./kit.ts";
import { compareFirstFlows, compareMixed, compareServers } from "./rounds.ts";
import { measureStartup } from "./startup.ts";

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    runtime: { type: "string", multiple: true, default: ["node", "bun", "deno"] },
    /** Default: every store whose server is found. */
    store: { type: "string", multiple: true },
    /** Default: the algorithm that is fast on each runtime. */
    alg: { type: "string" },
    rounds: { type: "string", default: "7" },
    operations: { type: "string", default: "1000" },
    only: { type: "string", multiple: true },
    beside: { type: "string", multiple: true, default: [] },
    lab: { type: "boolean", default: false },
    peers: { type: "boolean", default: false },
  },
});

const { store: stores, only, beside, lab, peers } = values;
const settings = { rounds: Number(values.rounds), operations: Number(values.operations), only };

await runTrials(trials());

function trials(): Trial[] {
  const comparisons = values.runtime.map((runtime) => {
    const alg = values.alg ?? (runtime === "deno" ? "EdDSA" : "ES256");
    return { runtime, alg, stores, beside, lab, peers, ...settings };
  });
  const parts: Record<string, Trial[]> = {
    server: comparisons.map(compareServers),
    first: comparisons.map(compareFirstFlows),
    mixed: comparisons.map(compareMixed),
    kit: [...values.runtime.flatMap(measureKits), ...peers ? [compareKits] : []],
    startup: [measureStartup],
  };
  return (names.length > 0 ? names : Object.keys(parts)).flatMap((name) => parts[name] ?? []);
}
