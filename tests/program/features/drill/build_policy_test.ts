import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Finding } from "../../../../src/lab/findings/finding.ts";
import { failuresFor, triesOf } from "../../../../src/program/features/drill/build_policy.ts";

const attack: Finding = { id: "a", title: "", level: "violation", kind: "attack", where: {} };
const rule: Finding = { ...attack, kind: "rule" };
const findings = [attack, rule, { ...attack, acknowledged: "Until then." }];

const invocation = (only: string[]) => ({
  command: "drill app",
  values: new Map([["only", only]]),
});

const rows: Array<[only: string[], tries: string[] | undefined, fails: boolean[]]> = [
  [[], undefined, [true, true, false]],
  [["second_user"], ["second_user"], [true, true, false]],
  [["attack"], undefined, [true, false, false]],
  [["attack", "second_user"], ["second_user"], [true, false, false]],
];

describe("What fails a build after a drill", () => {
  for (const [only, tries, fails] of rows) {
    it(`follows from --only ${only.join()}`, () => {
      assertEquals(triesOf(invocation(only)), tries);
      assertEquals(findings.map(failuresFor(invocation(only))), fails);
    });
  }
});
