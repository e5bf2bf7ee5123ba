import { assert, assertEquals } from "@std/assert";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  type BreakageSite,
  sampleSites,
  untestableAt,
} from "../../../scripts/mutants/breakage_sites.ts";
import plugin, { type Breakage } from "../../../scripts/mutants/breakages.ts";
import { linesInLcov } from "../../../scripts/mutants/coverage.ts";

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

describe("An untestable breakage", () => {
  it("is named in a comment above its line", () => {
    const lines = ["// Why.", "// Untestable (a became b, c): it", "// is so.", "a || c;"];
    assertEquals(untestableAt(lines, 4), ["a became b", "c"]);
    assertEquals(untestableAt(["a;", ...lines, "a;"], 6), []);
  });

  it("is a way to break the line below the comment", async () => {
    const paths = (await readdir("src", { recursive: true })).filter((path) =>
      /\.tsx?$/.test(path)
    );
    const sources = await Promise.all(paths.map((path) => readFile(join("src", path), "utf8")));
    const commented = sources.filter((source) => source.includes("// Untestable ("));
    assert(commented.length > 0);
    assertEquals(commented.flatMap(unknownUntestable), []);
  });
});

/** Returns what comments call untestable, though the line below cannot be broken so. */
function unknownUntestable(source: string): string[] {
  const lines = source.split("\n");
  const known = Deno.lint.runPlugin(plugin, "file.ts", source).map(({ message = "" }) => {
    const { what, range }: Breakage = JSON.parse(message);
    return `${source.slice(0, range[0]).split("\n").length}: ${what}`;
  });
  return lines.flatMap((line, at) => {
    const named = line.trim().startsWith("//") ? [] : untestableAt(lines, at + 1);
    return named.filter((what) => !known.includes(`${at + 1}: ${what}`)).map((what) => line + what);
  });
}
