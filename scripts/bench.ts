/**
 * Measures what a lab costs a test suite, and how fast a running lab is: operations per second over
 * 16 kept-alive connections, and the server's CPU time for each operation.
 *
 *   deno task bench [kit] [server] [--runtime deno|bun|node] [--alg ES256] [--store memory]
 *                   [--seconds 3]
 *
 * Compare numbers of one run only.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { benchKit } from "./bench_kit.ts";
import { benchServer } from "./bench_server.ts";

const { values, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: {
    /** Default: Node for the kit, Deno for the server. */
    runtime: { type: "string" },
    alg: { type: "string", default: "ES256" },
    store: { type: "string", default: "memory" },
    seconds: { type: "string", default: "3" },
  },
});
const { runtime, alg, store, seconds } = values;

if (parts.length === 0 || parts.includes("kit")) await benchKit(runtime ?? "node");
if (parts.length === 0 || parts.includes("server")) {
  await benchServer({ runtime: runtime ?? "deno", alg, store, seconds: Number(seconds) });
}
process.exit(0);
