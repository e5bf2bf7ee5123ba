import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { completionsOf, formatCompletions } from "../../../src/program/command_line/complete.ts";
import { commands } from "../../../src/program/commands.ts";

/** The words of a command line up to the cursor, and what the last one may become. */
const completed: Array<[words: string[], next: string[]]> = [
  [["ser"], ["serve"]],
  [["cl"], ["clone", "client"]],
  [["client", "s"], ["show", "set", "secret"]],
  [["client", "set", ""], []],
  [["client", "set", "web", "--re"], ["--redirect-uri", "--require-par", "--resource", "--remove"]],
  [["client", "secret", "web", "--"], [
    "--add",
    "--retire",
    "--drop",
    "--list",
    "--config",
    "--store",
    "--issuer",
    "--profile",
    "--json",
  ]],
  [["client", "secret", "web", "--add", "--a"], []],
  [["client", "set", "web", "--redirect-uri", "https://a.example", "--redirect"], [
    "--redirect-uri",
  ]],
  [["serve", "--alg", ""], ["RS256", "ES256", "PS256", "EdDSA"]],
  [["serve", "--alg", "E"], ["ES256", "EdDSA"]],
  [["client", "add", "x", "--pkce", "o"], ["optional"]],
  [["serve", "--config", ""], []],
  [["lab", "--provider", "git"], ["github", "gitlab"]],
  [["lab", "--provider", "./my"], []],
  [["vet", "--only", "callback.wrong"], ["callback.wrong_state", "callback.wrong_iss"]],
  [["explain", "verifier.m"], ["verifier.matches"]],
  [["explain", "plain"], ["plain-challenge"]],
  [["explain", "verifier.matches", ""], []],
  [["completion", ""], ["bash", "zsh", "fish"]],
  [["dance", ""], []],
];

describe("completionsOf", () => {
  for (const [words, next] of completed) {
    it(`completes: hallpass ${words.join(" ")}`, async () => {
      assertEquals((await completionsOf(words, commands)).map(({ word }) => word), next);
    });
  }

  it("explains commands and options", async () => {
    const [serve] = await completionsOf(["ser"], commands);
    assert(serve);
    assertEquals(formatCompletions([serve]), `serve\t${serve.meaning}`);
    assert(serve.meaning.startsWith("starts a strict server"));
  });

  it("leads to every command", async () => {
    for (const { name } of commands) {
      const parts = name.split(" ");
      const next = await completionsOf([...parts.slice(0, -1), ""], commands);
      const words = next.map(({ word }) => word);
      assert(words.includes(parts.at(-1) ?? ""), name);
    }
  });
});
