import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { reportChecks } from "../../../../src/lab/features/report/report.ts";
import { compareWithRequirements } from "../../../support/requirement_checks.ts";

describe("The checks of the report", () => {
  it("are all that the table of requirements names", () => {
    const ids = reportChecks.map(({ id }) => id);
    assertEquals(compareWithRequirements("report", ids).unknown, []);
  });
});
