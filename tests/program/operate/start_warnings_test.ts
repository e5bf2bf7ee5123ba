import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { labWarnings } from "../../../src/program/lab/run_lab.ts";
import { countDirectory } from "../../../src/program/operate/directory.ts";
import { startWarnings } from "../../../src/program/operate/run_serve_command.ts";
import { listeningSite } from "../../../src/program/operate/site.ts";
import { type Config, createFullServer } from "../../../src/server/features.ts";
import { siteAt } from "../../support/site.ts";

/** Returns the warnings of `serve` about proxies. */
async function proxyWarnings(config: Config, hasTls: boolean): Promise<string[]> {
  const server = createFullServer(config);
  const { settings } = server.context;
  const listening = { port: 9000, metrics: undefined };
  const site = listeningSite(siteAt(config, { hasTls }), settings, listening);
  const found = await startWarnings({ server, site }, await countDirectory(server.context));
  return found.filter((text) => /proxy/i.test(text));
}

describe("The warnings of serve", () => {
  const cases: Array<[what: string, config: Config, hasTls: boolean, count: number]> = [
    [
      "https without a certificate and without trusted proxies",
      { issuer: "https://id.example" },
      false,
      1,
    ],
    ["a trusted proxy", { issuer: "https://id.example", trustedProxies: ["10.0.0.1"] }, false, 0],
    ["a certificate of its own", { issuer: "https://id.example" }, true, 0],
    ["http on loopback", { issuer: "http://localhost:9000" }, false, 0],
  ];
  for (const [what, config, hasTls, count] of cases) {
    it(`M4: include ${count} about a proxy for ${what}`, async () =>
      assertEquals((await proxyWarnings(config, hasTls)).length, count));
  }

  it("name a claim of a user that no client receives", async () => {
    const server = createFullServer({
      issuer: "https://id.example",
      users: [{ name: "alice", claims: { groups: ["a"] } }],
    });
    const running = { server, site: siteAt({ issuer: server.issuer }) };
    const counts = await countDirectory(server.context);
    for (const warningsOf of [startWarnings, labWarnings]) {
      const found = await warningsOf(running, counts);
      assertStringIncludes(found.join("\n"), "No client receives the claim 'groups' of alice.");
    }
  });
});
