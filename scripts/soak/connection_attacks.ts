import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import {
  formPost,
  openRawConnection,
  type RawConnection,
} from "../../tests/support/raw_connection.ts";
import type { Attack } from "./attack.ts";

/** A slow body gets one more byte so often, in milliseconds. */
const drip = 500;

/** How many bodies are sent slowly at a time. */
const slowBodies = 100;

/** How many files a process may open: 10,000 connections, and some to spare. */
const openFiles = 20_000;

/** Attacks that hold connections. */
export const connectionAttacks: readonly Attack[] = [
  { name: "slow bodies", begin: ({ port }, { untilEnded }) => sendSlowBodies(port(), untilEnded) },
  { name: "idle connections", begin: ({ port }, { connections }) => holdOpen(port(), connections) },
];

/**
 * Returns a command with a higher limit on open files: each connection takes one. Only an
 * administrator may exceed the hard limit.
 */
export function withOpenFiles(command: readonly string[]): string[] {
  const script = `ulimit -n ${openFiles} 2>/dev/null || ulimit -n $(ulimit -Hn); exec "$@"`;
  return ["sh", "-c", script, "sh", ...command];
}

async function sendSlowBodies(port: number, untilEnded: boolean) {
  const connections = await Promise.all(
    Array.from({ length: slowBodies }, () => openRawConnection(port)),
  );
  for (const { send } of connections) send(formPost("/oauth2/token", 10_000));
  const timer = setInterval(() => {
    for (const { send } of connections) send("x");
  }, drip);
  return {
    async stop() {
      // On Deno, the connection itself stays open until the client closes it.
      if (untilEnded) await Promise.all(connections.map(({ until }) => until(/^HTTP/)));
      clearInterval(timer);
      for (const { destroy } of connections) destroy();
      return `${slowBodies} bodies, ${countTimeouts(connections)} answered with 408`;
    },
  };
}

function countTimeouts(connections: readonly RawConnection[]): number {
  return connections.filter(({ received }) => received().startsWith("HTTP/1.1 408 ")).length;
}

async function holdOpen(port: number, count: number) {
  const holder = "scripts/soak/hold_connections.ts";
  const deno = [process.execPath, "run", "--cached-only", "--no-check", "--allow-net"];
  const [program = "", ...args] = withOpenFiles([...deno, holder, `${port}`, `${count}`]);
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => `${(await lines.next()).value}`;
  const opened = await nextLine();
  return {
    async stop() {
      child.stdin.write("\n");
      const left = await nextLine();
      child.stdin.end();
      await ended;
      return `${opened} connections, ${left} of them still open at the end`;
    },
  };
}
