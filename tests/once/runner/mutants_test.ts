import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { type BreakageSite, sampleSites } from "../../../scripts/mutants/breakage_sites.ts";
import plugin, { type Breakage } from "../../../scripts/mutants/breakages.ts";
import { linesInLcov } from "../../../scripts/mutants/coverage.ts";
import {
  type Equivalent,
  isEquivalent,
  readEquivalents,
} from "../../../scripts/mutants/equivalents.ts";

/** Returns each way to break a line, and the line that results. */
function broken(source: string): Array<[what: string, result: string]> {
  return Deno.lint.runPlugin(plugin, "file.ts", source).map(({ message = "" }) => {
    const { what, range: [start, end], text }: Breakage = JSON.parse(message);
    return [what, source.slice(0, start) + text + source.slice(end)];
  });
}

describe("Breaking a line", () => {
  const cases: Array<[source: string, expected: ReturnType<typeof broken>]> = [
    ["a === (b || c);", [["=== became !==", "a !== (b || c);"], [
      "|| became &&",
      "a === (b && c);",
    ]]],
    ["i < 1;", [["< became <=", "i <= 1;"]]],
    ["if (a) b;", [
      ["the condition became false", "if (false) b;"],
      ["the condition became true", "if (true) b;"],
    ]],
    ["x = !a;", [["the negation is gone", "x = a;"]]],
    ["x = true;", [["true became false", "x = false;"]]],
    ["await run(1);", [["the call is gone", "void 0;"]]],
    ["throw cause;", [["the error is gone", "void 0;"]]],
    ["x = a.some(b);", [["some became every", "x = a.every(b);"]]],
    ["x = a.toString() + 1;", []],
    ["run(\n  1,\n);", []],
  ];
  for (const [source, expected] of cases) {
    it(`works for ${JSON.stringify(source)}`, () => assertEquals(broken(source), expected));
  }
});

describe("A sample of breakages", () => {
  const site = (file: string, start: number): BreakageSite => ({
    what: "",
    file,
    line: 1,
    range: [start, start + 1],
    text: "",
  });
  const many = Array.from({ length: 50 }, (_, n) => site("src/a/x.ts", n));
  const few = [site("src/b/x.ts", 1)];

  it("is the same for the same seed, and takes from every folder", () => {
    const sample = sampleSites([...many, ...few], { count: 5, seed: "one" });
    assertEquals(sample, sampleSites([...few, ...many.toReversed()], { count: 5, seed: "one" }));
    assertEquals(sample.filter(({ file }) => file === "src/b/x.ts").length, 1);
    assertEquals(sample.length, 5);
  });
});

describe("The lines that a test runs", () => {
  it("are those of our own code with a count", () => {
    const report = "SF:/p/src/a.ts\nDA:1,2\nDA:2,0\nend_of_record\nSF:/p/tests/b.ts\nDA:3,1\n";
    assertEquals(linesInLcov(report, "/p"), { "src/a.ts": [1] });
  });

  it("include those of which a part ran", () => {
    const branches = "BRDA:3,1,0,0\nBRDA:3,1,1,5\nBRDA:4,2,0,-\nBRDA:5,3,0,0\n";
    const report = `SF:/p/src/a.ts\n${branches}DA:2,1\nDA:3,0\nDA:4,0\nDA:5,0\nend_of_record\n`;
    assertEquals(linesInLcov(report, "/p"), { "src/a.ts": [3, 2] });
  });
});

describe("A breakage that no test can notice", () => {
  const entry: Equivalent = { file: "a.ts", line: "a || c;", what: "a became b", why: "Why." };
  const readSource = (source: string) => () => Promise.resolve(source);

  it("is named by its file, the text of its line and what was done", () => {
    const site = { file: "a.ts", line: 2, what: "a became b" };
    assert(isEquivalent([entry], site, "x;\n  a || c;\n"));
    assert(!isEquivalent([entry], { ...site, line: 1 }, "x;\n  a || c;\n"));
    assert(!isEquivalent([entry], { ...site, file: "b.ts" }, "x;\n  a || c;\n"));
    assert(!isEquivalent([entry], { ...site, what: "b became a" }, "x;\n  a || c;\n"));
  });

  it("is an error once its file has no such line", async () => {
    assertEquals(await readEquivalents([entry], readSource("  a || c;\n")), [entry]);
    const error = await assertRejects(() => readEquivalents([entry], readSource("a || d;\n")));
    assertStringIncludes(String(error), 'a.ts has no line "a || c;"');
    await assertRejects(() => readEquivalents([{ ...entry, file: "gone.ts" }]));
  });

  it("is a way to break its line, and can be read from equivalent.json", async () => {
    const entries = await readEquivalents();
    assert(entries.length > 0);
    const possible = await Promise.all(entries.map(isPossible));
    assertEquals(entries.filter((_, at) => !possible[at]), []);
  });
});

/** Reports whether the line of an entry can be broken as the entry says. */
async function isPossible({ file, line, what }: Equivalent): Promise<boolean> {
  const source = await readFile(file, "utf8");
  const lines = source.split("\n");
  return Deno.lint.runPlugin(plugin, "file.ts", source).some(({ message = "" }) => {
    const breakage: Breakage = JSON.parse(message);
    const at = source.slice(0, breakage.range[0]).split("\n").length;
    return breakage.what === what && lines[at - 1]?.trim() === line;
  });
}
