import { assertEquals } from "@std/assert";
import { spawn } from "node:child_process";
import process from "node:process";
import { describe, it } from "node:test";
import { eventually } from "../support/eventually.ts";
import { findFreePort } from "../support/free_port.ts";
import server from "./default_export.ts";

/** The command by which a runtime serves a default export; Node has none. */
function servingCommand(port: number): string[] | undefined {
  const file = "tests/runtime/default_export.ts";
  if ("Deno" in globalThis) {
    return [
      process.execPath,
      "serve",
      "--cached-only",
      "--allow-all",
      "--no-check",
      "--host",
      "127.0.0.1",
      "--port",
      `${port}`,
      file,
    ];
  }
  if ("Bun" in globalThis) return [process.execPath, file];
  return undefined;
}

describe("A server as a default export", () => {
  it("is served by the runtime's own command", async () => {
    const port = await findFreePort();
    const [program, ...args] = servingCommand(port) ?? [];
    if (!program) return assertEquals(await answerOf(server.fetch), 200);
    const child = spawn(program, args, {
      env: { ...process.env, PORT: `${port}` },
      stdio: "ignore",
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    try {
      assertEquals(await eventually(() => statusOf(`http://127.0.0.1:${port}/health`)), 200);
    } finally {
      child.kill("SIGKILL");
      await ended;
    }
  });

  it("responds with its fetch function detached", async () => {
    assertEquals(await answerOf(server.fetch), 200);
  });
});

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}

async function answerOf(fetch: (request: Request) => Promise<Response>): Promise<number> {
  return (await fetch(new Request("http://localhost:8000/health"))).status;
}
