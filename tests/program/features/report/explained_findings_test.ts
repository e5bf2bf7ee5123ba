import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { rules } from "../../../../src/lab/features/report/report.ts";
import { findingRules } from "../../../../src/program/features/report/commands.ts";

describe("The findings that hallpass explain knows", () => {
  it("are those of the table that the report has them from", async () => {
    const { names, explain } = await findingRules();
    assertEquals(names, rules.map(({ id }) => id));
    for (const { find: _, ...rule } of rules) assertEquals(explain(rule.id).value, rule);
  });
});
