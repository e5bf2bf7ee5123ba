import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { readGoReport } from "../../../src/program/vet/test_reports/go_report.ts";
import { readJunitReport } from "../../../src/program/vet/test_reports/junit_report.ts";
import {
  readPrintedReport,
  readTestReports,
} from "../../../src/program/vet/test_reports/read_test_reports.ts";
import { readTapReport } from "../../../src/program/vet/test_reports/tap_report.ts";
import type { TestReport } from "../../../src/program/vet/test_reports/test_report.ts";
import { inFolder } from "../../support/folder.ts";

const folder = "tests/program/vet/reports";

type Reader = (text: string) => TestReport;

/** What test runners wrote; the report of Gradle is made after its documentation. */
const reports: ReadonlyArray<[file: string, read: Reader, ran: number, failed: string[]]> = [
  ["vitest.xml", readJunitReport, 2, [`vt/login.test.mjs > login > checks the <state> & "nonce"`]],
  ["jest.xml", readJunitReport, 2, ['login checks the <state> & "nonce"']],
  ["node.xml", readJunitReport, 3, [
    "login > checks the <state> & &quot;nonce&quot; # of users",
    "top > inner",
  ]],
  ["deno.xml", readJunitReport, 3, ["./login_test.ts > checks > the state"]],
  ["bun.xml", readJunitReport, 2, ["login > state"]],
  ["pytest.xml", readJunitReport, 4, [
    "test_login.TestLogin > test_checks_alg[HS256]",
    "test_login > test_uses_fixture",
  ]],
  ["surefire/TEST-shop.LoginTest.xml", readJunitReport, 5, [
    "shop.LoginTest > breaks",
    "shop.LoginTest > alg(String)[2]",
    "shop.LoginTest > checksState",
  ]],
  ["gradle.xml", readJunitReport, 2, ["shop.LoginTest > checksState()"]],
  ["node.tap", readTapReport, 3, [
    'login > checks the <state> & "nonce" # of users',
    "top > inner",
  ]],
  ["tap.tap", readTapReport, 2, ["nt/tap.test.cjs > login > checks the state"]],
  ["go.json", readGoReport, 5, [
    "shop > TestLogin/checks_the_state",
    "shop/broken",
    "shop/panic > TestY",
  ]],
];

describe("A report of a test runner", () => {
  for (const [file, read, ran, failed] of reports) {
    it(`names the tests that failed: ${file}`, async () => {
      const report = read(await readFile(`${folder}/${file}`, "utf8"));
      assertEquals(report, { ran, failedCount: failed.length, failed });
    });
  }
});

describe("A hostile line of TAP", () => {
  const lines = [`ok${" ".repeat(20_000)}\u2028x`, `ok 1 - ${"# ".repeat(20_000)}\u2028x`];
  for (const line of lines) {
    it(`is read once: ${line.slice(0, 10)}`, () => {
      const began = performance.now();
      assertEquals(readTapReport(`TAP version 13\n${line}`).ran, 1);
      const milliseconds = performance.now() - began;
      // What is tried at each space anew would take minutes.
      assert(milliseconds < 3000, String(milliseconds));
    });
  }
});

const lolEntity = `<!DOCTYPE t [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>`;

/** Texts that are no report. */
const noReports: ReadonlyArray<[title: string, read: Reader, text: string, message: string]> = [
  ["a document type", readJunitReport, `${lolEntity}<testsuites/>`, "document type"],
  ["HTML", readJunitReport, "<html><testcase/></html>", "no test suite"],
  ["nothing", readJunitReport, "", "no test suite"],
  ["a suite in a suite, forever", readJunitReport, "<testsuite>".repeat(300), "too many"],
  ["text", readTapReport, "3 passed, 1 failed", "neither a plan nor a test"],
  ["a test in a test, forever", readTapReport, `${" ".repeat(4000)}ok 1`, "too many"],
  ["text", readGoReport, "--- FAIL: TestLogin", "go test -json"],
  ["other JSON", readGoReport, '{"a":1}\n{broken\n', "go test -json"],
];

describe("A report that cannot be read", () => {
  for (const [title, read, text, message] of noReports) {
    it(`is refused by ${read.name}: ${title}`, () => {
      assertThrows(() => read(text), Error, message);
    });
  }
});

/** Reports with traps, and the names of failed tests in them. */
const hostile: ReadonlyArray<[title: string, read: Reader, text: string, failed: string[]]> = [
  [
    "an entity that XML does not know stays as it is",
    readJunitReport,
    junitWith("&lol;&#x41;&#65;&#1114112;&amp;lt;"),
    ["&lol;AA\ufffd&lt;"],
  ],
  [
    "elements in comments, CDATA and instructions are text",
    readJunitReport,
    `<testsuite><!-- ${junitWith("a")} --><![CDATA[${
      junitWith("b")
    }]]><? <failure/> ?></testsuite>`,
    [],
  ],
  [
    "the end of the file is missing",
    readJunitReport,
    `${junitWith("a").replace("</testsuite>", "")}<testcase name="b"><failure mess`,
    ["a"],
  ],
  [
    "a name that an object has is no outcome",
    readJunitReport,
    '<testsuite><testcase name="a"><constructor/><toString/></testcase></testsuite>',
    [],
  ],
  [
    "tokens in the title of a test are not repeated",
    readJunitReport,
    junitWith(
      "accepts eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln and V3ryl0ngS3cretV4lueThatNobodyKn0ws",
    ),
    ["accepts [redacted] and [redacted]"],
  ],
  [
    "the output of a test looks like a test",
    readTapReport,
    "1..1\nok 1 - a\n  ---\n  output: |-\n    x\nnot ok 2 - b\n  ...\n",
    [],
  ],
  ["the suite gives up", readTapReport, "TAP version 14\nBail out! No server", [
    "Bail out! No server",
  ]],
];

function junitWith(name: string): string {
  return `<testsuite><testcase name="${name}"><failure/></testcase></testsuite>`;
}

describe("A report with traps", () => {
  for (const [title, read, text, failed] of hostile) {
    it(`is read: ${title}`, () => {
      assertEquals(read(text).failed, failed);
    });
  }

  it("is read in time that grows with its length, and shows a bounded part of it", () => {
    const many = Array.from({ length: 50_000 }, (_, at) => junitWith(`${"n ".repeat(400)}${at}`));
    const { failedCount, failed } = readJunitReport(many.join(""));
    assertEquals(failedCount, 50_000);
    assert(JSON.stringify(failed).length < 100_000);
    for (const text of ["<a ".repeat(500_000), `<testsuite ${'a="'.repeat(500_000)}`]) {
      assertThrows(() => readJunitReport(text));
    }
    assertEquals(readTapReport(`1..1\n${"ok 1 - # ".repeat(200_000)}`).failed, []);
  });
});

describe("The reports of a suite", () => {
  it("are all files of a folder, and those in folders within it", async () => {
    const report = await readTestReports({ format: "junit", path: `${folder}/surefire` }, 0);
    assertEquals([report?.ran, report?.failedCount], [6, 3]);
    const all = await readTestReports({ format: "junit", path: folder }, 0);
    assertEquals(all?.failedCount, 12);
  });

  it("are those of this run: an older file does not count, nor does a missing one", async () => {
    const later = Date.now() + 60_000;
    for (const path of [folder, `${folder}/vitest.xml`]) {
      assertEquals(await readTestReports({ format: "junit", path }, later), undefined);
    }
    assertEquals(
      await readTestReports({ format: "tap", path: `${folder}/none.tap` }, 0),
      undefined,
    );
  });

  it("are named when they cannot be read", async () => {
    await assertRejects(
      () => readTestReports({ format: "junit", path: `${folder}/node.tap` }, 0),
      Error,
      "Cannot read the test report tests/program/vet/reports/node.tap",
    );
  });

  it("may be larger than any suite writes, which is refused before they are read", async () => {
    await inFolder(async (path) => {
      await writeFile(join(path, "a.xml"), "");
      await truncate(join(path, "a.xml"), 65 * 1024 * 1024);
      const read = () => readTestReports({ format: "junit", path }, 0);
      await assertRejects(read, Error, "more than a suite writes");
    });
  });

  it("may be printed", () => {
    assertEquals(readPrintedReport("tap", "1..1\nnot ok 1 - a\n").failed, ["a"]);
  });
});
