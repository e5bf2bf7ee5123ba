import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { groupReport } from "../../../../src/lab/features/report/group_report.ts";
import type { Report } from "../../../../src/lab/features/report/report.ts";
import { type Finding, isRefused } from "../../../../src/lab/findings/finding.ts";
import type { FindingGrade } from "../../../../src/lab/findings/grade.ts";

const found = (
  label: FindingGrade | "refused",
  id: string,
  parameter: string,
  ...exchanges: number[]
): Finding => ({
  id,
  title: id,
  kind: "security",
  ...label === "refused" ? { error: "invalid_request" } : { grade: label },
  where: { client: "app", parameter, exchanges },
});

/** What is found about a client, and what its report shows. */
const cases: ReadonlyArray<readonly [what: string, found: Finding[], shown: string[]]> = [
  ["a refusal for the parameter that a violation is about", [
    found("C", "short-verifier", "code_verifier", 2),
    found("refused", "verifier.form", "code_verifier", 2),
  ], ["short-verifier"]],
  ["advice about the parameter that was refused", [
    found("B", "secret-of-public-client", "client_secret", 2, 3),
    found("refused", "client.no_secret", "client_secret", 3),
  ], ["client.no_secret"]],
  ["a code without tokens whose request was refused", [
    found("B", "code-not-redeemed", "code", 1, 2),
    found("refused", "verifier.form", "code_verifier", 2),
  ], ["verifier.form"]],
];

describe("The report on a client", () => {
  for (const [what, findings, shown] of cases) {
    it(`shows what is worse in place of ${what}`, () => {
      const report = {
        clients: [{ client: "app" }],
        findings: findings.filter((each) => !isRefused(each)),
        refused: findings.filter(isRefused),
      } as unknown as Report;
      const groups = groupReport(report).flatMap((each) => each.groups);
      assertEquals(groups.map(([{ id }]) => id), shown);
    });
  }

  it("shows two mistakes of one request", () => {
    const findings = [
      found("C", "short-verifier", "code_verifier", 2),
      found("B", "scope-unknown", "scope", 2),
    ];
    const report = { clients: [{ client: "app" }], findings, refused: [] } as unknown as Report;
    assertEquals(groupReport(report).flatMap(({ groups }) => groups).length, 2);
  });
});
