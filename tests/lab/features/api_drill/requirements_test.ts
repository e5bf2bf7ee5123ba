import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { apiChecks } from "../../../../src/lab/features/api_drill/checks/checks.ts";
import { compareWithRequirements } from "../../../support/requirement_checks.ts";

describe("The checks of a drill of APIs", () => {
  it("are those that the table of requirements names", () => {
    const ids = apiChecks.map(({ id }) => id);
    assertEquals(compareWithRequirements("api", ids), { unnamed: [], unknown: [] });
  });
});
