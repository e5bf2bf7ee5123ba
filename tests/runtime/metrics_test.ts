import { assert, assertEquals, assertMatch } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { inFolder } from "../support/folder.ts";
import { firstMatch } from "../support/present.ts";
import { type Program, runProgram, startProgram } from "../support/program.ts";

const issuer = "https://id.example";

const configuration = `export default {
  issuer: "${issuer}",
  port: 0,
  alg: "EdDSA",
  log: "json",
  onEvent: (event) => console.log("heard " + event.type),
};`;

/** Starts a server with metrics and a log in JSON, and stops it afterwards. */
async function withServer(
  act: (server: Program, metricsUrl: string, config: string) => Promise<void>,
): Promise<string> {
  let output = "";
  await inFolder(async (folder) => {
    const config = join(folder, "hallpass.mjs");
    await writeFile(config, configuration);
    const server = await startProgram(["serve", "--config", config, "--metrics-port", "0"]);
    try {
      await act(server, firstMatch(server.output(), /"metrics":"([^"]+)"/), config);
    } finally {
      assertEquals(await server.stop(), 0);
      output = server.output();
    }
  });
  return output;
}

/** Asks for up to a minute: on a slow machine, a response can take longer than a probe waits. */
async function untilHealthy(options: string[]): ReturnType<typeof runProgram> {
  const end = Date.now() + 60_000;
  while (true) {
    const health = await runProgram(["health", ...options]);
    if (health.code === 0 || Date.now() > end) return health;
  }
}

describe("hallpass serve --metrics-port --log json", () => {
  it("serves metrics and /ready on loopback, which hallpass health asks, logs JSON, and calls onEvent", async () => {
    const output = await withServer(async (_server, url, config) => {
      const { port } = new URL(url);
      const metrics = await fetch(url);
      assertMatch(await metrics.text(), /^hallpass_info\{version="\S+"\} 1$/m);
      const ready = await fetch(`http://[::1]:${port}/ready`);
      assertEquals(await ready.json(), { status: "ready", issuer });
      const health = await untilHealthy(["--config", config, "--metrics-port", port]);
      assertEquals(health.code, 0, health.output);
      assertMatch(health.output, /^http:\/\/localhost:\d+\/ready responded with status 200$/m);
    });
    const lines = output.split("\n").filter((line) => line.startsWith("{"));
    const events = lines.map((line) => JSON.parse(line));
    assert(events.some(({ event, level }) => event === "key.made" && level === "info"), output);
    assertMatch(output, /^heard key\.made$/m);
  });

  it("says who took the port of the metrics", async () => {
    await withServer(async (_server, url, config) => {
      const { port } = new URL(url);
      const args = ["serve", "--config", config, "--metrics-port", port];
      const { code, output } = await runProgram(args);
      assertEquals(code, 1, output);
      assertMatch(output, new RegExp(`port ${port} is already in use.*--metrics-port N`));
    });
  });
});
