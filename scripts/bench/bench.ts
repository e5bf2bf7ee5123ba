/**
 * Measures what a server costs beside its floor, and what a lab costs a test suite. The number to
 * trust is the CPU time of the server for each operation, beside the floor of the same run.
 *
 *   deno task bench [server] [kit] [sign-ins] [startup]
 *                   [--runtime node --runtime bun] [--store memory] [--alg ES256]
 *                   [--rounds 7] [--operations 1000] [--only flow] [--beside FILE]
 *                   [--lab] [--peers] [--draw]
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { benchServers } from "./bench_servers.ts";
import { benchKit } from "./kit.ts";
import { benchSignIns } from "./sign_ins.ts";
import { benchStartup } from "./startup.ts";
import type { Runtime } from "./subject.ts";

const { values, positionals: parts } = parseArgs({
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
    beside: { type: "string" },
    lab: { type: "boolean", default: false },
    peers: { type: "boolean", default: false },
    draw: { type: "boolean", default: false },
  },
});

const { store: stores, only, beside, lab, peers, draw } = values;
const settings = { rounds: Number(values.rounds), operations: Number(values.operations), only };
const measures = (part: string) => parts.length === 0 || parts.includes(part);

// The servers end with this process, however it ends.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => process.exit(130));
}

for (const runtime of values.runtime as Runtime[]) {
  const alg = values.alg ?? (runtime === "deno" ? "EdDSA" : "ES256");
  if (measures("server")) {
    await benchServers({ runtime, alg, stores, beside, lab, peers, draw, ...settings });
  }
  if (measures("kit")) await benchKit(runtime);
  if (measures("sign-ins")) await benchSignIns({ runtime, alg });
}
if (measures("startup")) await benchStartup();
process.exit(0);
