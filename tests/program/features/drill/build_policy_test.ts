import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type Finding, findingToText } from "../../../../src/lab/findings/finding.ts";
import { type FindingGrade, findingGrades } from "../../../../src/lab/findings/grade.ts";
import { checksToJunit } from "../../../../src/lab/findings/junit.ts";
import { reportDrill } from "../../../../src/program/features/drill/build_policy.ts";
import { onlyOption } from "../../../../src/program/features/drill/command_line.ts";
import { inFolder } from "../../../support/folder.ts";

function found(grade: FindingGrade, id: string = grade, folded: Finding[] = []): Finding {
  const where = { application: "http://localhost:3000/" };
  return { id, title: id, grade, kind: "security", where, ...folded.length > 0 && { folded } };
}

/** Reports a drill with these options. Returns the exit code, and what was written and printed. */
async function report(
  options: Readonly<Record<string, string>>,
  findings: readonly Finding[],
  isComplete = true,
) {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const values = new Map(Object.entries(options).map(([name, value]) => [name, [value]]));
  const checks = findings.map((each) => ({ ...each, findings: [each] }));
  let junit = "";
  const code = await reportDrill(
    { command: "drill app", values },
    { print, printError: print } as never,
    { findings },
    {
      missing: [],
      isComplete,
      toText: (fails) => findings.map((each) => findingToText(each, fails)).join("\n"),
      toJunit: (_, fails) => junit = checksToJunit([{ name: "drill", checks }], fails),
    },
  );
  return { code, junit, output: printed.join("\n") };
}

const fromDUp = ["F", "D"];

const rows: Array<[failOn: string | undefined, failing: readonly string[]]> = [
  [undefined, fromDUp],
  ["F", ["F"]],
  ["D", fromDUp],
  ["C", ["F", "D", "C"]],
  ["B", ["F", "D", "C", "B"]],
];

describe("What fails a build after a drill", () => {
  for (const [failOn, failing] of rows) {
    it(`is ${failing} with --fail-on ${failOn ?? "left out"}, in JUnit XML as well`, async () => {
      for (const grade of findingGrades) {
        const options = failOn === undefined ? {} : { "fail-on": failOn };
        const { code, junit } = await report(options, [found(grade)]);
        const fails = failing.includes(grade);
        assertEquals([code, junit.includes("<failure")], [fails ? 8 : 0, fails], grade);
      }
    });
  }

  it("is nothing that was acknowledged", async () => {
    const known = { ...found("F"), acknowledged: "Acknowledged until 2026-12-31: It is replaced." };
    assertEquals((await report({}, [known])).code, 0);
  });

  it("is said of a C that fails none", async () => {
    const sentence = /^ {2}This build passes; with --fail-on C it fails\.$/m;
    assertMatch((await report({}, [found("C")])).output, sentence);
    assertEquals(sentence.test((await report({ "fail-on": "C" }, [found("C")])).output), false);
  });
});

describe("--only attack, of an earlier version", () => {
  it("is refused with what takes its place", () => {
    const { problem } = onlyOption("FAULT", "a fault");
    assertMatch(problem?.("attack") ?? "", /write --fail-on F$/);
    assertEquals(problem?.("callback.wrong_state"), undefined);
  });
});

describe("A baseline", () => {
  const first = [found("C", "id_token.wrong_iss"), found("B", "old_cookie")];

  it("is written by the first drill, and fails a later one for a C that is not in it", async () => {
    await inFolder(async (folder) => {
      const options = { baseline: join(folder, "drill.baseline.json") };
      const written = await report(options, first);
      assertEquals(written.code, 0);
      assertMatch(written.output, /^Wrote the baseline .*: 1 mistake of grade C\./m);
      assertEquals((await report(options, first)).code, 0);
      const lost = await report(options, [...first, found("C", "id_token.wrong_aud")]);
      assertEquals([lost.code, lost.junit.match(/<failure/g)?.length], [8, 1]);
      // A mistake that was mended is missed by nobody.
      assertEquals((await report(options, [])).code, 0);
    });
  });

  it("knows what one mistake explains, one by one", async () => {
    await inFolder(async (folder) => {
      const options = { baseline: join(folder, "drill.baseline.json") };
      const parts = ["a", "b"].map((id) => found("C", id));
      await report(options, [found("C", "a", parts)]);
      assertEquals((await report(options, [found("C", "b")])).code, 0);
      assertEquals((await report(options, [found("C", "a", [...parts, found("C", "c")])])).code, 8);
    });
  });

  it("lets no D and no F pass, and a new B", async () => {
    await inFolder(async (folder) => {
      const options = { baseline: join(folder, "drill.baseline.json") };
      const bad = [found("D"), found("F")];
      assertEquals((await report(options, bad)).code, 8);
      for (const each of bad) assertEquals((await report(options, [each])).code, 8);
      assertEquals((await report(options, [found("B", "new")])).code, 0);
    });
  });

  it("is not written by a drill that was stopped", async () => {
    await inFolder(async (folder) => {
      const path = join(folder, "drill.baseline.json");
      await report({ baseline: path }, first, false);
      assertEquals(existsSync(path), false);
      await report({ baseline: path }, first);
      assertEquals(JSON.parse(readFileSync(path, "utf8")).known, ["id_token.wrong_iss"]);
    });
  });

  it("is a file that the program has written", async () => {
    await inFolder(async (folder) => {
      const path = join(folder, "drill.baseline.json");
      await writeFile(path, '{"known": "all"}');
      await assertRejects(() => report({ baseline: path }, first), Error, "is no baseline");
    });
  });
});
