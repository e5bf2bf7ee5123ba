import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { printable, printableLines } from "../../src/program/terminal/printable.ts";
import { runProgram } from "../support/program.ts";

describe("L4: Text on a terminal", () => {
  const cases: Array<[what: string, text: string, shown: string]> = [
    ["an escape sequence", "\u001b[31mred", "\\u001b[31mred"],
    ["a C1 control", "\u009b31mred", "\\u009b31mred"],
    ["a carriage return", "good\rbad", "good\\u000dbad"],
    ["a bidirectional override", "user\u202egpj", "user\\u202egpj"],
    ["a bidirectional mark", "a\u200fb\u061cc", "a\\u200fb\\u061cc"],
    ["a zero-width space and a joiner", "a\u200bb\u200dc\ufeffd", "a\\u200bb\\u200dc\\ufeffd"],
    ["a soft hyphen", "pass\u00adword", "pass\\u00adword"],
    ["a tag character", "a\u{e0041}b", "a\\u{e0041}b"],
    ["separators of lines and paragraphs", "a\u2028b\u2029c", "a\\u2028b\\u2029c"],
    ["letters of any language", "Zoë العربية 🎫", "Zoë العربية 🎫"],
  ];
  for (const [what, text, shown] of cases) {
    it(`shows ${what} as ${JSON.stringify(shown)}`, () =>
      assertEquals([printable(text), printableLines(text)], [shown, shown]));
  }

  it("keeps our line breaks and tabs, and escapes those from outside", () => {
    const text = "a\n\tb";
    assertEquals([printableLines(text), printable(text)], [text, "a\\u000a\\u0009b"]);
  });

  it("is escaped in error messages of the program", async () => {
    const { output } = await runProgram(["\u001b[31mred"]);
    assertStringIncludes(output, "\\u001b[31mred");
    assert(!output.includes("\u001b"));
  });
});
