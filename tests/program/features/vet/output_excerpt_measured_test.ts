import { assert } from "@std/assert";
import { describe, it } from "node:test";
import { outputExcerpt } from "../../../../src/program/features/vet/suite_command.ts";

describe("The output of a suite on one long line", () => {
  const texts = ["abcd", "ab12Z", "a=?", "----", "secret", '"a":"', "\x1b[31m"];
  for (const text of texts) {
    it(`takes no longer, and is cut: ${JSON.stringify(text)}`, () => {
      const began = performance.now();
      const shown = outputExcerpt(text.repeat(2_000_000));
      assert(shown.length <= 300, String(shown.length));
      const milliseconds = performance.now() - began;
      assert(milliseconds < 5000, String(milliseconds));
    });
  }
});
