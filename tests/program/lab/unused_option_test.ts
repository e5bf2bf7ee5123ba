import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import type { Invocation } from "../../../src/program/command_line/command.ts";
import { unusedOptionWarnings } from "../../../src/program/lab/run_lab.ts";

const redirectUri = "http://localhost:3000/callback";
const own = { issuer: "http://localhost:9000", clients: [{ id: "app" }] };

/** Returns the warnings for an option and a configuration. */
function warnings(options: Record<string, string[]>, server: object): string[] {
  const invocation: Invocation = { command: "", values: new Map(Object.entries(options)) };
  return unusedOptionWarnings(invocation, { server } as Parameters<typeof unusedOptionWarnings>[1]);
}

describe("A lab with --redirect-uri", () => {
  it("warns that the option has no effect beside configured clients", () => {
    const [warning = "", ...others] = warnings({ "redirect-uri": [redirectUri] }, own);
    assertMatch(warning, /^--redirect-uri has no effect: .* redirectUris of one of them\.$/);
    assertEquals(others, []);
  });

  it("warns of nothing with the demo clients, or without the option", () => {
    assertEquals(warnings({ "redirect-uri": [redirectUri] }, { issuer: own.issuer }), []);
    assertEquals(warnings({}, own), []);
  });
});
