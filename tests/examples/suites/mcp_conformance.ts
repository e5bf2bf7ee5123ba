// Runs scenarios of the MCP conformance suite, and makes each of its checks a test.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { glob, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";

/** One result of the suite. */
interface Check {
  id: string;
  name: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  errorMessage?: string;
}

/** Why a check cannot pass here, by its id. */
export type KnownReasons = Record<string, string>;

const suite = "../node_modules/@modelcontextprotocol/conformance/dist/index.js";

/** Runs one of its commands. `onLine` gets what it prints: it may wait for a user. */
export async function runConformance(
  command: "authorization" | "server",
  options: Record<string, string>,
  onLine: (line: string) => Promise<void> = async () => {},
): Promise<Check[]> {
  const results = await mkdtemp(join(tmpdir(), "hallpass-mcp-"));
  const all = { "output-dir": results, ...options };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(process.execPath, [suite, command, ...args], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const ended = once(child, "exit");
    for await (const line of createInterface({ input: child.stdout })) {
      await onLine(line);
    }
    await ended;
    return await readChecks(results);
  } finally {
    child.kill("SIGKILL");
    await rm(results, { recursive: true });
  }
}

async function readChecks(folder: string): Promise<Check[]> {
  const checks: Check[] = [];
  for await (const file of glob(join(folder, "**/checks.json"))) {
    checks.push(...JSON.parse(await readFile(file, "utf8")));
  }
  return checks.filter(({ status }) => status !== "INFO");
}

/** Makes each check a test. One that cannot pass here is skipped, with the reason. */
export async function reportChecks(
  context: TestContext,
  checks: readonly Check[],
  known: KnownReasons = {},
): Promise<void> {
  assert.ok(checks.length > 0);
  for (const { id, name, status, errorMessage } of checks) {
    const reason = status === "SUCCESS" ? undefined : known[id];
    await context.test(`${id}: ${name}`, { skip: reason ?? false }, () => {
      assert.deepEqual([status, errorMessage], ["SUCCESS", undefined]);
    });
  }
}

/**
 * Returns a free port. The suite cannot choose one by itself. These ports are below those that the
 * system gives to others.
 */
export async function freePort(): Promise<number> {
  while (true) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer().listen(port, "127.0.0.1");
    // Waiting for an event fails when there is an error.
    const isFree = await once(server, "listening").then(() => true, () => false);
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}
