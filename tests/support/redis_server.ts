import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { findFreePort } from "./free_port.ts";

const run = promisify(execFile);

/** Why tests with Redis are skipped, or false if they can run. */
export const redisMissing: string | false = spawnSync("redis-server", ["--version"]).error
  ? "redis-server is missing: apt-get install redis-server"
  : false;

/** The settings that the README names, which lose nothing. */
const safeSettings = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];

/** A Redis server of a test. */
export interface RedisServer {
  port: number;
  url: string;
  /** Sends a command to it, and returns what it prints. */
  cli(...command: string[]): Promise<string>;
  /** Ends the server at once. Its files stay for the next start. */
  kill(): Promise<void>;
  /** Starts it again, on the same port and with its files. */
  start(): Promise<void>;
  /** Makes it hang, or go on. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  /** Ends it and deletes its files. */
  remove(): Promise<void>;
}

/** Starts a server on a free port. It ends with the process, if it was not removed before. */
export async function startRedis(...settings: string[]): Promise<RedisServer> {
  const port = await findFreePort();
  const folder = await mkdtemp(join(tmpdir(), "hallpass-redis-"));
  const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, ...safeSettings];
  let child: ChildProcess | undefined;
  const cli = async (...command: string[]) =>
    (await run("redis-cli", ["-p", `${port}`, ...command])).stdout;

  async function start(): Promise<void> {
    child = spawn("redis-server", [...args, ...settings], { stdio: "ignore" });
    child.unref();
    while (!(await cli("PING").catch(() => "")).includes("PONG")) {
      if (child.exitCode !== null) throw new Error("redis-server ended.");
    }
  }

  const signal = (name: NodeJS.Signals) => {
    if (child?.pid && child.exitCode === null) process.kill(child.pid, name);
  };

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.ref();
    signal("SIGKILL");
    await ended;
    child = undefined;
  }

  const removeNow = () => {
    signal("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", removeNow);
  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    cli,
    kill,
    start,
    signal,
    remove: async () => {
      await kill();
      process.removeListener("exit", removeNow);
      removeNow();
    },
  };
}

/** A Cluster of three masters. */
export interface RedisCluster {
  url: string;
  nodes: RedisServer[];
  remove(): Promise<void>;
}

/** Starts three masters, which share the slots. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const bus = async () => `${await findFreePort()}`;
  const start = async () =>
    await startRedis("--cluster-enabled", "yes", "--cluster-port", await bus());
  const nodes = [await start(), await start(), await start()];
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  await run("redis-cli", ["--cluster", "create", ...addresses, "--cluster-yes"]);
  for (const { cli } of nodes) {
    while (!(await cli("CLUSTER", "INFO")).includes("cluster_state:ok")) continue;
  }
  return {
    url: `redis://${addresses.join(",")}`,
    nodes,
    remove: async () => void await Promise.all(nodes.map((node) => node.remove())),
  };
}
