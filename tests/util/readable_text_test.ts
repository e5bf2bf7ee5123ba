import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { isReadable } from "../../src/server/util/text/user_text.ts";

describe("isReadable", () => {
  for (
    const text of [
      "App",
      "Café Zürich 東京 🎉",
      "I ❤️ code",
      "עברית",
      "تطبيق",
      "a b",
      "O'Brien & Söhne (2026)",
    ]
  ) {
    it(`accepts ${JSON.stringify(text)}`, () => {
      assertEquals(isReadable(text), true);
    });
  }

  const deceptive: Array<[what: string, character: string]> = [
    ["a line break", "\n"],
    ["a tab", "\t"],
    ["an escape", "\u001b"],
    ["a C1 control", "\u009b"],
    ["a soft hyphen", "\u00ad"],
    ["a combining grapheme joiner", "\u034f"],
    ["an Arabic letter mark", "\u061c"],
    ["a Hangul filler", "\u3164"],
    ["a Mongolian vowel separator", "\u180e"],
    ["a zero-width space", "\u200b"],
    ["a zero-width joiner", "\u200d"],
    ["a right-to-left mark", "\u200f"],
    ["a line separator", "\u2028"],
    ["a right-to-left override", "\u202e"],
    ["a word joiner", "\u2060"],
    ["an isolate", "\u2067"],
    ["a blank Braille pattern", "\u2800"],
    ["a byte order mark", "\ufeff"],
    ["a tag character", "\u{e0041}"],
  ];
  for (const [what, character] of deceptive) {
    it(`L6: refuses ${what} at every position`, () => {
      const names = [`${character}App`, `A${character}pp`, `App${character}`];
      assertEquals(names.filter(isReadable), []);
    });
  }

  for (const text of ["", " ", "\u00a0\u3000"]) {
    it(`L6: refuses ${JSON.stringify(text)}, which is invisible`, () => {
      assertEquals(isReadable(text), false);
    });
  }
});
