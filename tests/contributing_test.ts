import { assert, assertEquals } from "@std/assert";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";

const contributing = readFileSync(".github/CONTRIBUTING.md", "utf8");

/** Returns the paths of this repository that a text names in backticks. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`((?:src|tests|scripts|\.github)\/[\w./-]*)`/g)].map(([, path = ""]) =>
    path
  );
}

describe("CONTRIBUTING.md", () => {
  it("names only files and folders that exist", () => {
    const paths = pathsIn(contributing);
    assert(paths.length > 30);
    assertEquals(paths.filter((path) => !existsSync(path)), []);
  });

  it("lists the layers in the order of the architecture test", () => {
    const test = readFileSync("tests/architecture_test.ts", "utf8");
    const layers = test.slice(test.indexOf("const layers"), test.indexOf("];"));
    const table = contributing.split("\n").filter((line) => /^\| \d+ /.test(line)).join("\n");
    const inTest = [...layers.matchAll(/"(src\/[\w./]+)"/g)].map(([, path]) => path);
    assertEquals(pathsIn(table), inTest);
  });

  it("sorts its glossary", () => {
    const start = contributing.indexOf("| Word");
    const words = contributing.slice(start, contributing.indexOf("\n\n", start)).split("\n").slice(
      2,
    );
    const sorted = words.toSorted();
    assertEquals(words, sorted);
  });
});
