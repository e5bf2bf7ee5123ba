import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { loginChecks } from "../../../../src/lab/features/drill/compare_logins.ts";
import { sessionChecks } from "../../../../src/lab/features/drill/session_checks.ts";
import { featureRows } from "../../../../src/lab/features/drill/variants/feature_rows.ts";
import { variantsOfEveryServer } from "../../../../src/lab/features/drill/variants/variants.ts";
import { compareWithRequirements } from "../../../support/requirement_checks.ts";

const rows = [...variantsOfEveryServer, ...featureRows.flatMap((each) => each.rows)];

describe("The checks of a drill of applications", () => {
  it("are those that the table of requirements names", () => {
    const ids = [...sessionChecks, ...loginChecks].map(({ id }): string => id);
    const all = [...rows.map(({ fault }): string => fault), ...ids];
    assertEquals(compareWithRequirements("application", all), { unnamed: [], unknown: [] });
  });
});
