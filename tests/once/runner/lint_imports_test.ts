import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import plugin from "../../../scripts/lint_imports.ts";

/** Returns the names of the rules that a file breaks. */
function brokenRules(source: string): string[] {
  return Deno.lint.runPlugin(plugin, "file.ts", source).map(({ id }) => id);
}

describe("The lint rules for imports", () => {
  const right = [
    ["no import", "export const one = 1;"],
    [
      "packages, parents and neighbours",
      'import a from "a";\nimport b from "../b";\nimport c from "./c";',
    ],
    ["an import for its effects anywhere", 'import "./effects.ts";\nimport { a } from "a";'],
  ] as const;
  for (const [what, source] of right) {
    it(`accept ${what}`, () => assertEquals(brokenRules(source), []));
  }

  const wrong = [
    [
      "a module that is imported twice",
      'import { a } from "m";\nimport type { B } from "m";',
      "one-per-module",
    ],
    ["modules out of order", 'import { b } from "b";\nimport { a } from "a";', "sorted"],
    ["a neighbour before a package", 'import { b } from "./b";\nimport { c } from "c";', "sorted"],
    [
      "a neighbour before a parent",
      'import { b } from "./b";\nimport { c } from "../c";',
      "sorted",
    ],
  ] as const;
  for (const [what, source, rule] of wrong) {
    it(`find ${what}`, () => assertEquals(brokenRules(source), [`imports/${rule}`]));
  }

  it("offer the sorted imports, with their attributes", () => {
    const source = 'import b from "b.json" with { type: "json" };\nimport { c } from "a";\n';
    const [problem] = Deno.lint.runPlugin(plugin, "file.ts", source);
    assertEquals(
      problem?.fix?.map(({ text }) => text),
      ['import { c } from "a";\nimport b from "b.json" with { type: "json" };'],
    );
  });
});
