import { assert } from "@std/assert";
import { describe, it } from "node:test";
import { redactOutput } from "../../../src/lab/recording/redact.ts";

describe("The output of a program", () => {
  const longTexts: Readonly<Record<string, string>> = {
    "hexadecimal digits": "ab12",
    "dashes": "----",
    "names of secrets": "secret",
    "nested parameters": "a=?",
  };
  for (const [what, text] of Object.entries(longTexts)) {
    it(`is read once, even if it is long: ${what}`, () => {
      const began = performance.now();
      redactOutput(text.repeat(200_000 / text.length));
      const milliseconds = performance.now() - began;
      // What is read again from each character would take minutes.
      assert(milliseconds < 3000, String(milliseconds));
    });
  }
});
