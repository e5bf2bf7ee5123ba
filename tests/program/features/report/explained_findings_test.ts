import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { reportChecks } from "../../../../src/lab/features/report/report.ts";
import { loadReportChecks } from "../../../../src/program/features/report/commands.ts";

describe("The findings that hallpass explain knows", () => {
  it("are those of the table that the report has them from", async () => {
    const { names, explain } = await loadReportChecks();
    assertEquals(names, reportChecks.map(({ id }) => id));
    for (const { find: _, ...rule } of reportChecks) assertEquals(explain(rule.id).value, rule);
  });
});
