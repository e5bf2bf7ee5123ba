import { assertEquals, assertMatch } from "@std/assert";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, it } from "node:test";
import { fillIn, type LabTarget } from "../../../../src/program/child_command/child_lab.ts";
import { childEnvironment } from "../../../../src/program/child_command/start_child.ts";
import { outputExcerpt } from "../../../../src/program/features/vet/suite_command.ts";
import {
  formatBar,
  formatEstimate,
  formatLine,
  formatStart,
  formatTime,
} from "../../../../src/program/features/vet/vet_progress.ts";
import { parseProcesses, treeOf } from "../../../../src/program/processes/process_tree.ts";
import { inFolder } from "../../../support/folder.ts";

const target: LabTarget = {
  issuer: "http://localhost:9001",
  port: 9001,
  lab: "http://localhost:9001/lab",
  ca: undefined,
  job: 2,
};

describe("The environment of a suite", () => {
  it("has ours, without what configures Hallpass, and what the command line sets", async () => {
    const environment = {
      PATH: "/bin",
      HALLPASS_SECRET: "a",
      HALLPASS_LAB_TOKEN: "b",
      HALLPASS_STORE: "postgres://user:password@host/db",
      hallpass_config_json: "{}",
    };
    const variables = ["ISSUER={issuer}", "PATH=/bin:{port}", "HALLPASS_URL={lab}", "EMPTY="];
    assertEquals(await childEnvironment(environment, variables, target), {
      PATH: "/bin:9001",
      ISSUER: "http://localhost:9001",
      HALLPASS_URL: "http://localhost:9001/lab",
      EMPTY: "",
    });
  });

  it("N4: lacks the Node that npx or bunx has put before all others to run us, and no other program", () =>
    inFolder(async (folder) => {
      const node = join(folder, "_npx", "a", "node_modules", ".bin");
      const bun = join(folder, "bun-node-0-a7733435c");
      const other = join(folder, "_npx", "b", "node_modules", ".bin");
      for (const bin of [node, bun, other]) await mkdir(bin, { recursive: true });
      for (const bin of [node, bun]) await writeFile(join(bin, "node"), "");
      const programs = [bun, node, other, folder, "/usr/bin"];
      for (const name of ["PATH", "Path"]) {
        const given = { [name]: programs.join(delimiter) };
        assertEquals(await childEnvironment(given, [], target), {
          [name]: [other, folder, "/usr/bin"].join(delimiter),
        });
      }
    }));

  it("has every placeholder replaced, and nothing else in braces", () => {
    const text = '{issuer} {port} {lab} {ca} {job} {"a": {}} {other}';
    const filled = `${target.issuer} 9001 ${target.lab}  2 {"a": {}} {other}`;
    assertEquals(fillIn(text, target), filled);
  });
});

const jwt = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2lnbmF0dXJl";

/** Lines of the output of a suite, with and without what looks like a credential. */
const lines: Record<string, string> = {
  "access_token=abcdefgh12 left": "access_token=[redacted] left",
  '{"id_token":"abc","a":1}': '{"id_token":"[redacted]","a":1}',
  "{ refresh_token: 'abcdefgh12' }": "{ refresh_token: '[redacted]' }",
  "CLIENT_SECRET=x": "CLIENT_SECRET=[redacted]",
  "password: hunter2": "password: [redacted]",
  "Authorization: Bearer a.b.c": "Authorization: Bearer [redacted]",
  "curl -H 'DPoP abcdefgh12'": "curl -H 'DPoP [redacted]'",
  [`expected ${jwt} to equal ${jwt}`]: "expected [redacted] to equal [redacted]",
  "got 4Xc0deOfAnotherSess1on4Xc0deOfAnotherSess1": "got [redacted]",
  "http://a/cb?code=abcdefgh12&state=s": "http://a/cb?code=[redacted]&state=s",
  "npm error code 1, exit code: 1": "npm error code 1, exit code: 1",
  "\x1b[31mnot ok\x1b[0m the_login_of_a_user_with_a_very_long_name":
    "not ok the_login_of_a_user_with_a_very_long_name",
};

describe("The output of a suite", () => {
  for (const [line, shown] of Object.entries(lines)) {
    it(`is shown without credentials: ${shown}`, () => assertEquals(outputExcerpt(line), shown));
  }

  it("is shown from its end, and cannot move the cursor", () => {
    const output = Array.from({ length: 100 }, (_, at) => `line ${at}`).join("\n");
    const [first, ...rest] = outputExcerpt(`${output}\x1b[2J\n`).split("\n");
    assertEquals([first, rest.length], ["line 60", 39]);
    assertMatch(rest.at(-1) ?? "", /^line 99\\u001b/);
  });
});

describe("The processes of a suite", () => {
  const listed = parseProcesses(
    "  1  0  1 Ss\n 10  1 10 Ss\n 11 10 10 S\n 12 11 12 R+\n 13  1 10 D\n 14  1 10 Z\n 20  1 20 S\n",
  );

  it("are those below it, and those of its group whose parent has ended, but no zombies", () => {
    assertEquals(treeOf(10, listed).map(({ pid }) => pid), [10, 11, 12, 13]);
  });

  it("have groups of their own, which end as well", () => {
    assertEquals(new Set(treeOf(10, listed).map(({ group }) => group)), new Set([10, 12]));
  });

  it("are not read from anything else", () => assertEquals(parseProcesses("ps: not found\n"), []));
});

describe("The progress of vet", () => {
  const plain = { milliseconds: 4000, steps: {}, met: ["a", "b", "c", "d"] };
  const outcomes = [{
    fault: "id_token.expired",
    expectation: "refuse",
    see: "",
    why: "",
    binds: "client",
    outcome: "noticed",
    milliseconds: 2000,
  }] as const;

  it("estimates the rest by the first run, then by those that have ended", () => {
    assertEquals(formatEstimate({ plain, outcomes: [], running: [] }, 1), "about 16 s left");
    assertEquals(formatEstimate({ plain, outcomes, running: [] }, 1), "about 6 s left");
    assertEquals(formatEstimate({ plain, outcomes, running: [] }, 2), "about 4 s left");
  });

  it("is a bar that fits into a terminal", () => {
    const running = Array.from({ length: 9 }, () => "id_token.without_nonce");
    const bar = formatBar({ plain, outcomes, running }, 9);
    assertMatch(bar, /^\[#{8}-{22}\] 1\/4 {2}about 2 s left {2}id_token\.without_nonce, /);
    assertEquals(bar.length, 78);
  });

  it("U2: begins with the number of its counter, and the time that it will take", () => {
    const start = formatStart({ plain, outcomes: [], running: [] }, 1);
    assertMatch(start, /^The tests pass without an attack, in \d+ s\. 4 runs under attack: about /);
    assertMatch(formatBar({ plain, outcomes: [], running: [] }, 1), / 0\/4 /);
  });

  it("says of a valid variant that it should be accepted, and of a finding what it is", () => {
    const run = {
      fault: "id_token.expired",
      class: "rule",
      see: "",
      why: "",
      binds: "client",
      milliseconds: 900,
      outcome: "accepted",
    } as const;
    assertEquals(
      formatLine({ ...run, expectation: "accept" }, 1, 4),
      "1/4 id_token.expired: accepted, as a valid login should be (0.9 s)",
    );
    assertEquals(
      formatLine({ ...run, expectation: "refuse" }, 2, 4),
      "2/4 id_token.expired: accepted (rule) (0.9 s)",
    );
  });

  it("is in minutes if it takes some", () => {
    const expected = ["1 s", "119 s", "3 min"];
    assertEquals([formatTime(300), formatTime(119_000), formatTime(150_000)], expected);
  });
});
