import { assertEquals, assertMatch } from "@std/assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { hallpass } from "../../src/lab/testing/mod.ts";
import { protectedResource } from "../../src/resource/protected_resource.ts";
import { serve } from "../../src/runtime/serve.ts";
import { openFolder } from "../support/folder.ts";
import { findFreePort } from "../support/free_port.ts";
import { runProgram } from "../support/program.ts";

/** Serves an API that trusts an issuer, and checks scopes, but not whose orders it returns. */
async function serveApi(issuer: string, change = (request: Request) => request) {
  const parts: { api?: ReturnType<typeof protectedResource> } = {};
  const server = await serve({
    async fetch(received) {
      const request = change(received);
      const metadata = parts.api?.handle(request);
      if (metadata) return metadata;
      const access = await parts.api?.require(request, { scope: ["orders:read"] });
      return access instanceof Response ? access : Response.json({ orders: [] });
    },
  }, { port: 0 });
  const resource = `http://localhost:${server.port}/orders`;
  parts.api = protectedResource({ resource, authorizationServers: [issuer] });
  return { url: resource, [Symbol.asyncDispose]: () => server.close() };
}

describe("hallpass drill api", () => {
  it("starts a lab for an API that passes", async () => {
    const port = await findFreePort();
    await using api = await serveApi(`http://localhost:${port}`);
    const { code, output } = await runProgram(["drill", "api", api.url, "--port", `${port}`]);
    assertEquals(code, 0, output);
    assertMatch(output, /No findings\. A, \d+ of \d+ checks/);
    // Over sockets, it has sent two headers, and nothing came to where its tokens lead.
    assertMatch(output, /^(?!.*two_headers:)/s);
  });

  it("uses a lab that runs, and fails with 8 if the API breaks a rule", async () => {
    await using lab = await hallpass({ listen: true });
    await using api = await serveApi(lab.issuer);
    const words = ["drill", "api", api.url, "--lab", lab.issuer, "--other-user", "bob"];
    const { code, output } = await runProgram(words);
    assertEquals(code, 8, output);
    assertMatch(output, /^F other_user: [^]*: Findings: 1 F\. F, \d+ of \d+ checks/m);
    const required = ["--only", "expired", "--require", "new-key"];
    const missing = await runProgram([...words, ...required]);
    assertEquals(missing.code, 8);
    assertMatch(missing.output, /^Required, and not tested: new-key\.$/m);
  });

  /** Which of two Authorization headers an API uses, with what the drill makes of it. */
  const chosen: Array<[at: 0 | -1, found: string | undefined, note: string | undefined]> = [
    [0, undefined, "The API gets the first one alone: its platform drops the second."],
    [-1, "it uses the last one", undefined],
  ];
  for (const [at, found, note] of chosen) {
    it(`of two Authorization headers, ${found ?? "may get the first alone"}`, async () => {
      const withOne = (request: Request) => {
        const one = request.headers.get("Authorization")?.split(",").at(at)?.trim();
        return new Request(request.url, { headers: one ? { Authorization: one } : {} });
      };
      await using lab = await hallpass({ listen: true });
      await using api = await serveApi(lab.issuer, withOne);
      const { checks } = await lab.drillApi({ request: api.url, only: ["two_headers"] });
      const [check] = checks;
      const [finding] = check?.findings ?? [];
      assertEquals([finding?.received, check?.note], [found, note]);
      assertEquals(finding?.grade, found && "B");
    });
  }

  it("W6: fails with 1 if the API does not respond, in its file too, and with 2 without a URL", async () => {
    const url = `http://localhost:${await findFreePort()}/`;
    const port = `${await findFreePort()}`;
    await using opened = await openFolder();
    const junit = join(opened.folder, "drill.xml");
    const words = ["drill", "api", url, "--port", port, "--junit", junit, "--wait", "1ms"];
    const { code, output } = await runProgram(words);
    assertEquals(code, 1, output);
    assertMatch(output, /cannot be reached/);
    assertMatch(readFileSync(junit, "utf8"), /failures="1"[^]*cannot be reached/);
    assertEquals((await runProgram(["drill", "api", "orders"])).code, 2);
  });
});
