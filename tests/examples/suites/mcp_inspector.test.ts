// The command line of the MCP Inspector, which signs in to the MCP server of a lab.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import { present } from "../../support/present.ts";

/** A lab in which Alice signs in by herself. */
const lab = present(process.env.HALLPASS_LAB);
const version = present(process.env.HALLPASS_SUITE_VERSION);
const documentUrl = "https://inspector.example/client.json";

/** Calls a tool, and opens the URL that the Inspector prints. Returns what it prints at the end. */
async function call(tool: string, ...options: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "hallpass-inspector-"));
  const inspector = [
    "-y",
    `@modelcontextprotocol/inspector@${version}`,
    "--cli",
    `${lab}/mcp`,
  ];
  const method = [
    "--transport",
    "http",
    "--method",
    "tools/call",
    "--tool-name",
    tool,
  ];
  const child = spawn("npx", [...inspector, ...method, ...options], {
    stdio: ["ignore", "pipe", "pipe"],
    // No terminal is here, and no browser: the URL comes on standard error as well.
    env: {
      ...process.env,
      MCP_AUTO_OPEN_ENABLED: "true",
      MCP_STORAGE_DIR: folder,
      BROWSER: "true",
    },
  });
  try {
    let output = "";
    child.stdout.on("data", (data) => output += data);
    const ended = once(child, "exit");
    for await (const line of createInterface({ input: child.stderr })) {
      const [url] = /http\S+\/oauth2\/authorize\?\S+/.exec(line) ?? [];
      if (url !== undefined) await fetch(url);
    }
    await ended;
    return output;
  } finally {
    child.kill("SIGKILL");
    await rm(folder, { recursive: true });
  }
}

describe("The MCP Inspector", () => {
  it("registers and calls a tool", async () => {
    assert.match(await call("whoami"), /"subject": "alice"/);
  });

  it("has a metadata document, and calls a tool that needs 'write'", async () => {
    await fetch(`${lab}/lab/client-documents`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        client_id: documentUrl,
        client_name: "Inspector",
        redirect_uris: ["http://127.0.0.1:6276/oauth/callback"],
      }),
    });
    const options = ["--tool-arg", "text=Hi", "--client-metadata-url", documentUrl];
    assert.match(await call("write_note", ...options), /"saved": false/);
  });

  it("is a configured client", async () => {
    assert.match(await call("whoami", "--client-id", "demo-cli"), /"client": "demo-cli"/);
  });
});
