import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { labFileSchema } from "../../src/lab/util/lab_schema.ts";
import type { Command } from "../../src/program/command_line/command.ts";
import { check } from "../../src/program/commands/check_command.ts";
import { serve } from "../../src/program/commands/serve_command.ts";
import type { Terminal } from "../../src/program/terminal/terminal.ts";
import { testSettings } from "../../src/server/config/test_settings.ts";
import { ConfigError, createServer } from "../../src/server/mod.ts";
import { hasFeature } from "../support/where_feature.ts";

/** A value of each setting that a lab would take. */
const powers: Record<string, { value: unknown; reason: RegExp }> = {
  signIn: { value: "alice", reason: /it signs users in without asking/ },
  signInByHint: { value: true, reason: /it signs users in without asking/ },
  consent: { value: "skip", reason: /it leaves the consent page out/ },
  anyClient: { value: true, reason: /it accepts clients/ },
  seed: { value: "a", reason: /it makes codes and tokens/ },
  unknownClientPkce: { value: "optional", reason: /it accepts unknown clients/ },
  anyScope: { value: true, reason: /it accepts scopes/ },
  anyGrant: {
    value: { user: "alice", scopes: ["openid"] },
    reason: /it accepts codes, refresh tokens and assertions/,
  },
  responseTypes: { value: ["code", "id_token"], reason: /it sends an ID token/ },
  redirectStatus: { value: 302, reason: /it sends authorization responses with/ },
  errorUri: { value: false, reason: /it links to pages that explain an error/ },
  responseChanges: { value: [], reason: /it changes what the server sends/ },
  clientDefaults: { value: { pkce: "optional" }, reason: /it weakens every client/ },
  dialect: { value: { scopeSeparator: "," }, reason: /it changes what the server sends/ },
  provider: { value: "github", reason: /it plays another provider/ },
  providers: { value: ["github"], reason: /it plays other providers/ },
  hosts: { value: true, reason: /it has the hosts of another provider/ },
  accounts: { value: {}, reason: /it is about providers/ },
  mcpStepUp: { value: true, reason: /more than they registered for/ },
  enterprise: { value: true, reason: /it opens an identity provider/ },
  drillOrigins: { value: [], reason: /it drills applications/ },
  hooks: { value: {}, reason: /a test adds hooks with/ },
  responses: { value: [], reason: /a test queues responses with/ },
};

/** The settings that permit nothing which a strict server refuses. */
const notLenient = [
  ...["signIn", "signInByHint", "consent", "seed", "errorUri", "responseChanges", "enterprise"],
  ...["providers", "accounts", "hosts", "drillOrigins"],
];

const terminal: Terminal = {
  environment: {},
  isInteractive: false,
  describeDropped: () => {},
  describeFailure: () => {},
  print: () => {},
  printColored: () => {},
  printError: () => {},
  flush: () => Promise.resolve(),
  log: () => {},
  readInput: async () => "",
  onStop: () => () => {},
};

/** Runs a command with a configuration file. */
async function run(command: Command, content: unknown): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "hallpass-"));
  const path = join(folder, "hallpass.json");
  writeFileSync(path, JSON.stringify(content));
  try {
    return await command.run(
      { command: command.name, values: new Map([["config", [path]]]) },
      terminal,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("A server refuses a setting for tests by name", () => {
  it("and each setting of a lab is one", () => {
    const names = Object.keys(labFileSchema.members);
    const known = Object.keys(testSettings)
      .filter((name) => name !== "enterprise" || hasFeature("token exchange", "assertions"));
    assertEquals(names.sort(), known.sort(), "Edit src/server/config/test_settings.ts.");
  });

  it("and each of them has a test", () => {
    const names = [...Object.keys(testSettings), "hooks", "responses"];
    const where = "Edit `powers` in tests/config/test_settings_test.ts.";
    assertEquals(Object.keys(powers).sort(), names.sort(), where);
  });

  it("and each leniency is in the second table of SPECIFICATIONS.md", () => {
    const text = readFileSync(".github/SPECIFICATIONS.md", "utf8");
    const [table = ""] = /(?<=\| leniency of a lab .*\n.*\n)(\|.*\n)+/.exec(text) ?? [];
    const inTable = [...table.matchAll(/^\| `(\w+)/gm)].map(([, name = ""]) => name);
    const lenient = Object.keys(testSettings).filter((name) => !notLenient.includes(name));
    // A server has these two as well, and is strict about them.
    const expected = [...lenient, "http", "registration"].sort();
    const where = "Add a row to the second table of leniencies in .github/SPECIFICATIONS.md, or " +
      "the name to `notLenient` in tests/config/test_settings_test.ts.";
    assertEquals(inTable.sort(), expected, where);
  });

  for (const [name, { value, reason }] of Object.entries(powers)) {
    it(`createServer refuses ${name}`, () => {
      const config = { issuer: "https://id.example", [name]: value };
      const error = assertThrows(() => createServer(config), ConfigError) as ConfigError;
      assertEquals(error.problems.length, 1);
      assertMatch(error.message, new RegExp(`  - ${name} is for tests only: `));
      assertMatch(error.message, reason);
    });

    for (const command of [serve, check]) {
      it(`hallpass ${command.name} refuses ${name}`, async () => {
        const config = { issuer: "https://id.example", port: 0, [name]: value };
        const error = await assertRejects(() => run(command, config), Error);
        assertMatch(error.message, new RegExp(`${name}.*for (labs|tests) only: `));
        assertMatch(error.message, reason);
      });
    }
  }

  it("and lists it among the other problems", () => {
    const config = { issuer: "https://id.example", signIn: "alice", clietns: [] };
    const error = assertThrows(() => createServer(config as never), ConfigError) as ConfigError;
    assertEquals(error.problems.length, 2);
  });
});
