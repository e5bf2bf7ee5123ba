import { execFile, spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { eventually } from "./eventually.ts";
import { findFreePort } from "./free_port.ts";
import { present } from "./present.ts";

const run = promisify(execFile);

/** Why tests with Redis are skipped, or false if they can run. */
export const redisMissing = spawnSync("redis-server", ["--version"]).error
  ? "redis-server is missing: apt-get install redis-server"
  : false;

/** The settings that RUNNING.md names, which lose nothing. */
const safeSettings = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];

/**
 * Starts the server, and again after its end when the file `start` appears. When the process of the
 * test ends, however it does, the standard input closes, and the server and its files go too.
 */
const wrap = `
  while :; do
    redis-server "$@"
    until [ -e "$0/start" ]; do sleep 0.02; done
    rm "$0/start"
  done &
  cat
  rm -rf "$0"
  kill -9 0`;

/** A Redis server of a test. It ends with the process of the test, and its files with it. */
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
}

/** Starts a server on a free port. */
export async function startRedis(...settings: string[]): Promise<RedisServer> {
  const port = await findFreePort();
  const folder = await mkdtemp(join(tmpdir(), "hallpass-redis-"));
  const log = join(folder, "log");
  const address = ["--port", `${port}`, "--bind", "127.0.0.1"];
  const args = [...address, "--dir", folder, "--logfile", log, ...safeSettings];
  let pid = 0;
  const cli = async (...command: string[]) =>
    (await run("redis-cli", ["-p", `${port}`, ...command])).stdout;

  const wrapper = spawn("sh", ["-c", wrap, folder, ...args, ...settings], {
    stdio: ["pipe", "ignore", "ignore"],
    // In a process group of its own, which ends as a whole.
    detached: true,
  });
  wrapper.unref();

  /** It answers, unless it still reads its files. */
  const untilReady = () =>
    eventually(async () => {
      pid = Number(present(/process_id:(\d+)/.exec(await cli("INFO", "server"))?.[1]));
    });

  await untilReady().catch(async (cause) => {
    throw new Error(`Redis does not start: ${await readFile(log, "utf8")}`, { cause });
  });
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    cli,
    async start() {
      await writeFile(join(folder, "start"), "");
      await untilReady();
    },
    signal: (signal) => void process.kill(pid, signal),
    async kill() {
      process.kill(pid, "SIGKILL");
      while (await cli("PING").then(() => true, () => false)) continue;
    },
  };
}

/** A Cluster of three masters. */
export interface RedisCluster {
  url: string;
  nodes: RedisServer[];
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
  return { url: `redis://${addresses.join(",")}`, nodes };
}
