import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { compiler } from "../../../scripts/child.ts";
import { binary } from "../../../scripts/downloads.ts";
import { chromium } from "../../support/chromium.ts";
import {
  deno,
  type Example,
  itPasses,
  nodeExample,
  onNode,
  runInExamples,
  unreachable,
} from "./run_example.ts";

const examples: Example[] = [
  {
    file: "example.deno.ts",
    command: async () => [deno, "test", "--allow-all", "example.deno.ts"],
    success: /ok \| 2 passed \| 0 failed/,
  },
  {
    file: "example.bun.ts",
    command: async () => [await binary("bun@1"), "test", "./example.bun.ts"],
    success: /2 pass\n 0 fail/,
  },
  nodeExample("example.node.ts", 2),
  nodeExample("example.login.mjs"),
  nodeExample("example.mcp.ts"),
  nodeExample("example.mcp_server.ts"),
  nodeExample("example.msw.ts"),
  nodeExample("example.nock.ts"),
  nodeExample("example.http.ts"),
  nodeExample("example.express.ts"),
  nodeExample("example.passport.ts"),
  nodeExample("example.passport_openidconnect.ts"),
  nodeExample("example.backchannel_logout.ts"),
  nodeExample("example.sign_out.ts"),
  nodeExample("example.roles.ts"),
  nodeExample("example.chosen_values.ts", 2),
  nodeExample("example.provider_down.ts", 5),
  nodeExample("example.api_drill.ts"),
  nodeExample("example.certificate_api.ts"),
  nodeExample("example.key_rotation.ts"),
  nodeExample("example.refresh.ts"),
  nodeExample("example.own_endpoint.ts"),
  nodeExample("example.parallel.ts", 3),
  {
    file: "example.vitest.ts",
    command: () => onNode("node_modules/vitest/vitest.mjs", "run", "example.vitest.ts"),
    success: /Tests +2 passed \(2\)/,
  },
  {
    file: "example.playwright.ts",
    command: () => onNode("node_modules/@playwright/test/cli.js", "test"),
    success: /1 passed/,
    skip: !chromium && "this machine has no Chromium",
  },
];

describe("The examples", () => {
  for (const example of examples) itPasses(example);

  it("mcp/typescript passes with Node's test runner", { skip: unreachable }, async () => {
    const { code, output } = await runInExamples(() =>
      onNode("--test", "mcp/typescript/*.test.ts")
    );
    assertEquals(code, 0, output);
    assertMatch(output, /pass 1\d\n.*fail 0/);
  });

  it("have no type errors", { skip: unreachable }, async () => {
    const files = examples.map(({ file }) => file).filter((file) => !/deno|bun|\.mjs$/.test(file));
    const options =
      "--ignoreConfig --noEmit --strict --target esnext --module nodenext --allowImportingTsExtensions --skipLibCheck --types node";
    const { code, output } = await runInExamples(async () => [
      ...compiler,
      ...options.split(" "),
      "--lib",
      "esnext,dom,dom.iterable",
      ...files,
      "example.drill.ts",
      "coming_from/calls.test.ts",
      "coming_from/fixtures.test.ts",
      "mcp/typescript/notes_client.test.ts",
      "mcp/typescript/enterprise_client.test.ts",
      "mcp/typescript/notes_server.test.ts",
      "mcp/typescript/start_notes_server.ts",
    ]);
    assertEquals(code, 0, output);
  });
});
