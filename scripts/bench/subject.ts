import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { binary } from "../downloads.ts";
import type { WorkloadName } from "./workloads.ts";

/** A runtime that servers run on. */
export type Runtime = "node" | "bun" | "deno";

/** A server to measure, in a process of its own. */
export interface Subject {
  name: string;
  port: number;
  paths: Paths;
  /** What the server cannot do. */
  without: readonly WorkloadName[];
  /** The cookies of a browser in which the user is signed in. */
  cookie: string;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/** Where a server has its endpoints. */
export interface Paths {
  authorize: string;
  token: string;
  introspect: string;
  userinfo: string;
  discovery: string;
  jwks: string;
}

/** What a process has used: CPU time in microseconds, and memory in bytes. */
export interface Usage {
  cpu: number;
  rss: number;
}

/** A program that serves, and how it says so. */
export interface ServerProgram {
  runtime: Runtime;
  file: string;
  args: readonly string[];
  /** What it prints when it is ready. */
  ready: string;
}

/** A process that serves. */
export interface ServerProcess {
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/** The paths of Hallpass and of the floor. */
export const ownPaths: Paths = {
  authorize: "/oauth2/authorize",
  token: "/oauth2/token",
  introspect: "/oauth2/introspect",
  userinfo: "/oauth2/userinfo",
  discovery: "/.well-known/openid-configuration",
  jwks: "/oauth2/jwks",
};

const reporter = fileURLToPath(new URL("./report_cpu.mjs", import.meta.url));

/** The core of the measured servers. The load generator has the others. */
const pinned = ["taskset", "-c", "0"];

/** Starts a server that can report its CPU time. Its output is read and dropped. */
export async function startProcess(program: ServerProgram): Promise<ServerProcess> {
  const { file, args, ready } = program;
  const [command = "", ...options] = [
    ...pinned,
    ...await commandOf(program.runtime),
    file,
    ...args,
  ];
  const child = spawn(command, options, { stdio: ["ignore", "pipe", "pipe"] });
  process.once("exit", () => child.kill("SIGKILL"));
  child.stderr.setEncoding("utf8");
  await untilReady(child, ready);
  child.stdout?.resume();
  return {
    async usage() {
      // Deno's `child.kill` sends one signal only.
      process.kill(child.pid ?? NaN, "SIGUSR2");
      while (true) {
        const [text] = await once(child.stderr, "data");
        const [, usage] = /^bench (.*)$/m.exec(text) ?? [];
        if (usage !== undefined) return JSON.parse(usage);
      }
    },
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function commandOf(runtime: Runtime): Promise<string[]> {
  if (runtime === "deno") {
    return [process.execPath, "run", "--allow-all", "--no-check", "--preload", reporter];
  }
  if (runtime === "bun") return [await binary("bun@1"), "--preload", reporter];
  return [await binary("node@24"), "--disable-warning=ExperimentalWarning", "--import", reporter];
}

async function untilReady(child: ChildProcess, ready: string): Promise<void> {
  let output = "";
  const isReady = new Promise<void>((resolve) => {
    child.stdout?.on("data", (chunk) => {
      if (output.length < 100_000) output += chunk;
      if (output.includes(ready)) resolve();
    });
  });
  child.stderr?.on("data", (chunk) => output.length < 100_000 && (output += chunk));
  const ended = once(child, "exit").then(() => {
    throw new Error(`The server ended before it was ready:\n${output}`);
  });
  await Promise.race([isReady, ended]);
}
