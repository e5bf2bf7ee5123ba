import { assert, assertEquals } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { codeBlocks, linkedFiles } from "./support/markdown.ts";

const cookbook = ".github/TESTING.md";
const examples = "tests/examples/";

/** The tests that run the examples. */
const runners = readdirSync("tests/once", { recursive: true, encoding: "utf8" })
  .filter((file) => /^(examples|package)\/.*_test\.ts$/.test(file))
  .map((file) => readFileSync(join("tests/once", file), "utf8"))
  .join("\n");

describe("The testing cookbook", () => {
  for (const { language, code, file } of codeBlocks(cookbook)) {
    const title = code.split("\n").find((line) => line.trim() !== "") ?? "";
    it(`shows what stands in ${file}: ${language} ${title}`, () => {
      assert(file, "No file is linked before this block.");
      assert(holdsLines(readFileSync(file, "utf8"), code), code);
    });
  }

  it("links only to examples that a test runs", () => {
    const files = linkedFiles(cookbook).filter((file) => file.startsWith(examples));
    assertEquals(files.filter((file) => !isRun(file)), []);
  });
});

/** An example is run by its name, or with its folder. */
function isRun(file: string): boolean {
  const [first = ""] = file.slice(examples.length).split("/");
  return runners.includes(`"${first}"`) || runners.includes(`${examples}${first}/`);
}

/** An excerpt has whole lines of the file, one after the other, but may begin further left. */
function holdsLines(text: string, excerpt: string): boolean {
  const [whole, part] = [text, excerpt].map((lines) => lines.trim().replace(/^[ \t]+/gm, ""));
  return `\n${whole}\n`.includes(`\n${part}\n`);
}
