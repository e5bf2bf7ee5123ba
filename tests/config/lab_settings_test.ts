import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Command } from "../../src/program/command_line/command.ts";
import { check } from "../../src/program/commands/check_command.ts";
import { serve } from "../../src/program/commands/serve_command.ts";
import type { Terminal } from "../../src/program/terminal/terminal.ts";
import { labSettings } from "../../src/server/config/lab_settings.ts";
import { ConfigError, createServer } from "../../src/server/mod.ts";

/** A value of each setting that a lab would take. */
const powers: Record<string, { value: unknown; reason: RegExp }> = {
  signIn: { value: "alice", reason: /only a lab may sign users in without asking/ },
  signInByHint: { value: true, reason: /only a lab may sign users in without asking/ },
  consent: { value: "skip", reason: /only a lab may leave the consent page out/ },
  anyClient: { value: true, reason: /only a lab may accept clients/ },
  seed: { value: "a", reason: /only a lab may make codes and tokens/ },
  unknownClientPkce: { value: "optional", reason: /only a lab may accept unknown clients/ },
  anyScope: { value: true, reason: /only a lab may accept scopes/ },
  anyGrant: {
    value: { user: "alice", scopes: ["openid"] },
    reason: /only a lab may accept codes, refresh tokens and assertions/,
  },
  responseTypes: { value: ["code", "id_token"], reason: /only a lab may send an ID token/ },
  redirectStatus: { value: 302, reason: /only a lab may send authorization responses with/ },
  errorUri: { value: false, reason: /only a lab has pages that explain an error/ },
  drillOrigins: { value: [], reason: /only a lab drills applications/ },
  hooks: { value: {}, reason: /a test adds hooks to a lab/ },
  responses: { value: [], reason: /a test queues responses of a lab/ },
};

const terminal: Terminal = {
  environment: {},
  isInteractive: false,
  describeDropped: () => {},
  print: () => {},
  printError: () => {},
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

describe("A server refuses a setting of labs by name", () => {
  it("and each of them has a test", () => {
    assertEquals(Object.keys(powers).sort(), Object.keys(labSettings).sort());
  });

  for (const [name, { value, reason }] of Object.entries(powers)) {
    it(`createServer refuses ${name}`, () => {
      const config = { issuer: "https://id.example", [name]: value };
      const error = assertThrows(() => createServer(config), ConfigError) as ConfigError;
      assertEquals(error.problems.length, 1);
      assertMatch(error.message, new RegExp(`  - ${name} is for labs only: `));
      assertMatch(error.message, reason);
    });

    for (const command of [serve, check]) {
      it(`hallpass ${command.name} refuses ${name}`, async () => {
        const config = { issuer: "https://id.example", port: 0, [name]: value };
        const error = await assertRejects(() => run(command, config), Error);
        assertMatch(error.message, new RegExp(`${name}.*for labs only: `));
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
