import {
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { labFileSchema } from "../../src/lab/util/lab_schema.ts";
import type { Command } from "../../src/program/command_line/command.ts";
import { check } from "../../src/program/commands/configuration_commands.ts";
import { serve } from "../../src/program/commands/serve_command.ts";
import type { Terminal } from "../../src/program/terminal/terminal.ts";
import { testSettings } from "../../src/server/config/test_settings.ts";
import { ConfigError, createServer } from "../../src/server/mod.ts";

/** Why a server refuses each setting: the settings of labs, and what a test gives by a method. */
const reasons: Record<string, string> = {
  ...testSettings,
  hooks: "a test adds hooks with",
  responses: "a test queues responses with",
};

/** The settings that permit nothing which a strict server refuses. */
const notLenient = [
  ...[
    "signIn",
    "signInByHint",
    "consent",
    "seed",
    "errorUri",
    "initialFaults",
    "enterprise",
    "workloads",
  ],
  ...["providers", "accounts", "hosts", "drillOrigins", "acknowledged", "anyUser"],
];

const terminal: Terminal = {
  environment: {},
  isInteractive: false,
  useJson: () => {},
  print: () => {},
  printColored: () => {},
  printError: () => {},
  flush: () => Promise.resolve(),
  log: () => {},
  readInput: async () => "",
  inputLines: async function* () {},
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
  it("and each setting of a lab is one, with the reason", () => {
    assertEquals(Object.keys(testSettings).sort(), Object.keys(labFileSchema.members).sort());
    for (const reason of Object.values(testSettings)) assertMatch(reason, /^it \w+ \S/);
    assertMatch(reasons.signIn ?? "", /without asking/);
  });

  it("and each leniency is in the second table of SPECIFICATIONS.md", () => {
    const text = readFileSync(".github/SPECIFICATIONS.md", "utf8");
    const [table = ""] = /(?<=\| leniency of a lab .*\n.*\n)(\|.*\n)+/.exec(text) ?? [];
    const lenient = Object.keys(testSettings).filter((name) => !notLenient.includes(name));
    // A server has these two as well, and is strict about them.
    const ofServer = ["http", "registration"];
    const rows = [...table.matchAll(/^\| `(\w+)/gm)].map(([, name = ""]) => name);
    // `deno task without` deletes a feature, but not what the document has about it.
    const inTable = process.env.HALLPASS_TEST_WITHOUT === undefined
      ? rows
      : rows.filter((name) => ofServer.includes(name) || lenient.includes(name));
    const expected = [...lenient, ...ofServer].sort();
    const where = "Add a row to the second table of leniencies in .github/SPECIFICATIONS.md, or " +
      "the name to `notLenient` in tests/config/test_settings_test.ts.";
    assertEquals(inTable.sort(), expected, where);
  });

  for (const [name, reason] of Object.entries(reasons)) {
    it(`createServer refuses ${name}, whatever its value`, () => {
      for (const value of [true, false, [], "a"]) {
        const config = { issuer: "https://id.example", [name]: value };
        const error = assertThrows(() => createServer(config), ConfigError) as ConfigError;
        assertEquals(error.problems.length, 1);
        assertStringIncludes(error.message, `  - ${name} is for tests only: ${reason}`);
      }
    });

    for (const command of [serve, check]) {
      it(`hallpass ${command.name} refuses ${name}`, async () => {
        const config = { issuer: "https://id.example", port: 0, [name]: false };
        const error = await assertRejects(() => run(command, config), Error);
        assertMatch(error.message, new RegExp(`${name}.*for (labs|tests) only: `));
        assertStringIncludes(error.message, reason);
      });
    }
  }

  it("and lists it among the other problems", () => {
    const config = { issuer: "https://id.example", signIn: "alice", clietns: [] };
    const error = assertThrows(() => createServer(config as never), ConfigError) as ConfigError;
    assertEquals(error.problems.length, 2);
  });
});
