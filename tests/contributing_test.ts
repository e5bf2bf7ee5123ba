import { assert, assertEquals } from "@std/assert";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it } from "node:test";

const contributing = readFileSync(".github/CONTRIBUTING.md", "utf8");
const testHelpers = readFileSync(".github/TEST_HELPERS.md", "utf8");

/** Returns the paths of this repository that a text names in backticks. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`((?:src|tests|scripts|\.github)\/[\w./-]*)`/g)].map(([, path = ""]) =>
    path
  );
}

/** Returns the names that a text has in backticks, but for those with a dot. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
}

/** Returns the sources whose names without a folder are in a text. Each must be there once. */
function sourceOf(text: string): string {
  return [...text.matchAll(/`(\w+\.tsx?)`/g)].map(([, name = ""]) => {
    const [path = "", ...others] = readdirSync("src", { recursive: true, encoding: "utf8" })
      .filter((each) => basename(each) === name);
    assertEquals([path !== "", others], [true, []], name);
    return readFileSync(join("src", path), "utf8");
  }).join("\n");
}

describe("TEST_HELPERS.md", () => {
  it("names only files and folders that exist", () => {
    const paths = pathsIn(testHelpers);
    assert(paths.length > 20);
    assertEquals(paths.filter((path) => !/[*]/.test(path) && !existsSync(path)), []);
  });

  it("shows the first test as it is", () => {
    const [, block] = /```ts\n([\s\S]*?)```/.exec(testHelpers) ?? [];
    assertEquals(block, readFileSync("tests/support/first_test.ts", "utf8"));
  });
});

describe("CONTRIBUTING.md", () => {
  it("names only files and folders that exist", () => {
    const paths = pathsIn(contributing);
    assert(paths.length > 30);
    assertEquals(paths.filter((path) => !existsSync(path)), []);
  });

  const chapter = contributing.slice(contributing.indexOf("how a refusal is recorded"));
  const [, list = "", table = ""] = chapter.split("\n\n");
  const steps = list.split("\n");

  it("names at most eight files that a refusal passes, with functions that they declare", () => {
    assert(steps.length > 5 && steps.length <= 8);
    for (const step of steps) {
      const isDeclared = (name: string) =>
        new RegExp(`(function|interface) ${name}\\b`).test(sourceOf(step));
      assert(namesIn(step).length > 0, step);
      assertEquals(namesIn(step).filter((name) => !isDeclared(name)), [], step);
    }
  });

  it("names where to change what of a refusal, as these files and the named ones have it", () => {
    const [, , ...rows] = table.split("\n");
    assert(rows.length > 5);
    for (const row of rows) {
      const source = sourceOf(list + row);
      assertEquals(namesIn(row).filter((name) => !source.includes(name)), [], row);
    }
  });

  it("lists the layers in the order of the architecture test", () => {
    const test = readFileSync("tests/architecture_test.ts", "utf8");
    const layers = test.slice(test.indexOf("const layers"), test.indexOf("];"));
    const table = contributing.split("\n").filter((line) => /^\| \d+ /.test(line)).join("\n");
    const inTest = [...layers.matchAll(/"(src\/[\w./]+)"/g)].map(([, path = ""]) => path);
    const places = pathsIn(table).map((path) => inTest.findIndex((each) => each.startsWith(path)));
    assert(places.length > 20);
    assertEquals(places, places.toSorted((a, b) => a - b));
  });

  it("sorts its glossary", () => {
    const start = contributing.indexOf("| Word");
    const words = contributing.slice(start, contributing.indexOf("\n\n", start)).split("\n").slice(
      2,
    );
    const sorted = words.toSorted();
    assertEquals(words, sorted);
  });

  it("lists words that no identifier and no file contains, in the plural either", () => {
    const start = contributing.indexOf("| Not");
    const rows = contributing.slice(start, contributing.indexOf("\n\n", start)).split("\n");
    const forbidden = rows.slice(2).flatMap((row) => row.split("|")[1]?.trim().split(", ") ?? []);
    assert(forbidden.length > 5);
    const found = [...declaredNames(), ...fileNames()].filter((name) =>
      wordsOf(name).some((word) => forbidden.includes(word)) && !allowedNames.has(name)
    );
    assertEquals(found, []);
  });
});

/** Names with a word that is forbidden elsewhere. */
const allowedNames = new Set([
  ...["answer", "answerFor", "answerForUser", "createAnswerForUser", "decideWithAnswer"],
  ...["AnswerForUser", "UserAnswer", "answer_for_user", "decide_with_answer"],
]);

/** The names of the files of the sources. */
function fileNames(): string[] {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" });
  return files.map((file) => basename(file).replace(/\.\w+$/, ""));
}

/** Returns the names that the sources declare. */
function declaredNames(): string[] {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" });
  return files.filter((file) => /\.tsx?$/.test(file)).flatMap((file) => {
    const declarations = readFileSync(join("src", file), "utf8").matchAll(
      /^\s*(?:export )?(?:async )?(?:function|const|let|interface|type|class) (\w+)/gm,
    );
    return [...declarations].map(([, name = ""]) => name);
  });
}

/** Returns the words of a name, in the singular. */
function wordsOf(name: string): string[] {
  return name.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase().replace(/s$/, ""));
}
