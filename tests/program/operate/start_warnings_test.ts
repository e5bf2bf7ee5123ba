import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { labWarnings } from "../../../src/program/lab/run_lab.ts";
import { startWarnings } from "../../../src/program/operate/start_warnings.ts";
import type { Config } from "../../../src/server/config/config.ts";
import { createInternalServer } from "../../../src/server/server.ts";

/** Returns the warnings of `serve` about proxies. */
async function proxyWarnings(config: Config, address: string): Promise<string[]> {
  const running = {
    server: createInternalServer(config),
    address,
    hostname: "localhost",
    stop: async () => {},
  };
  const found = await startWarnings({ command: "serve", values: new Map() }, running, false);
  return found.filter((text) => /proxy/i.test(text));
}

describe("The warnings of serve", () => {
  const plain = "http://localhost:9000";
  const cases: Array<[what: string, config: Config, address: string, count: number]> = [
    [
      "https without a certificate and without trusted proxies",
      { issuer: "https://id.example" },
      plain,
      1,
    ],
    ["a trusted proxy", { issuer: "https://id.example", trustedProxies: ["10.0.0.1"] }, plain, 0],
    ["a certificate of its own", { issuer: "https://id.example" }, "https://localhost:9000", 0],
    ["http on loopback", { issuer: "http://localhost:9000" }, plain, 0],
  ];
  for (const [what, config, address, count] of cases) {
    it(`M4: include ${count} about a proxy for ${what}`, async () =>
      assertEquals((await proxyWarnings(config, address)).length, count));
  }

  it("name a claim of a user that no client receives", async () => {
    const server = createInternalServer({
      issuer: "https://id.example",
      users: [{ name: "alice", claims: { groups: ["a"] } }],
    });
    const running = { server, address: plain, hostname: "localhost", stop: async () => {} };
    for (const warningsOf of [startWarnings, labWarnings]) {
      const found = await warningsOf({ command: "", values: new Map() }, running, false);
      assertStringIncludes(found.join("\n"), "No client receives the claim 'groups' of alice.");
    }
  });
});
