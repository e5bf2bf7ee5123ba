// The scenarios for authorization servers of the MCP conformance suite.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { glob, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import { authorize, issuer, register } from "./running_server.ts";

/** One result of the suite. */
interface Check {
  name: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED";
  errorMessage?: string;
}

const suite = "node_modules/@modelcontextprotocol/conformance/dist/index.js";

/** Runs all scenarios, and signs the user in where the suite asks for it. */
async function runSuite(options: Record<string, string>): Promise<Check[]> {
  const results = await mkdtemp(join(tmpdir(), "hallpass-mcp-"));
  const all = { url: issuer, "output-dir": results, ...options };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(process.execPath, [suite, "authorization", ...args], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const ended = once(child, "exit");
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.startsWith(`${issuer}/oauth2/authorize?`)) await fetch(await authorize(line));
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
  return checks;
}

/**
 * Returns a free port. The suite cannot choose one by itself. These ports are below those that the
 * system gives to others.
 */
async function freePort(): Promise<number> {
  while (true) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer().listen(port, "127.0.0.1");
    // Waiting for an event fails when there is an error.
    const isFree = await once(server, "listening").then(() => true, () => false);
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}

describe("The MCP conformance suite", () => {
  const resources = [undefined, "https://mcp.example/mcp"];
  // A public client: where a server knows these, the suite never sends a secret.
  for (const resource of resources) {
    it(`passes, with ${resource ? "a resource" : "no resource"}`, async () => {
      const port = await freePort();
      const { client_id } = await register({
        redirect_uris: [`http://127.0.0.1:${port}/callback`],
        application_type: "native",
        token_endpoint_auth_method: "none",
      });
      const options = { "client-id": client_id, port: `${port}`, ...resource && { resource } };
      const checks = await runSuite(options);
      assert.deepEqual(
        checks.map(({ name, status, errorMessage }) => [name, status, errorMessage]),
        [
          ["AuthorizationServerMetadata", "SUCCESS", undefined],
          ["AuthorizationServerMetadataCIMD", "SUCCESS", undefined],
          ["AuthorizationCodeGrant", "SUCCESS", undefined],
        ],
      );
    });
  }
});
