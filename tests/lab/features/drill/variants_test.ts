import { assertEquals, assertMatch } from "@std/assert";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { leftOutReason } from "../../../../src/lab/features/drill/variants/left_out.ts";
import { drillVariants } from "../../../../src/lab/features/drill/variants/variants.ts";
import { catalogue } from "../../../../src/lab/features/faults/catalogue.ts";

describe("The catalogue of the drill", () => {
  it("has every fault, or a reason why not", () => {
    const tried: string[] = drillVariants.map(({ fault }) => fault);
    assertEquals(new Set(tried).size, tried.length);
    for (const [fault] of catalogue) {
      const reason = leftOutReason(fault);
      assertEquals([fault, reason === undefined], [fault, tried.includes(fault)]);
      if (reason !== undefined) assertMatch(reason, /^[A-Z].*\.$/);
    }
  });

  it("names the section of the rule for each variant", () => {
    const section =
      /^(OAuth 2\.1|OpenID Connect [\w -]+|RFC \d+|JARM|draft-[\w-]+), section [\d.]+$/;
    for (const { see } of drillVariants) assertMatch(see, section);
  });

  it("is in the table of the documents, with what an application must do", () => {
    const [, section = ""] = readFileSync(".github/TESTING.md", "utf8")
      .split("\n## What a drill tries\n");
    const [table = ""] = section.split("\n### ");
    const rows = [...table.matchAll(/^\|[^|`]*`(\w+)\.…` *\|(.*)\|(.*)\|(.*)\|$/gm)];
    const listed = rows.flatMap(([, prefix, ...cells]) =>
      cells.flatMap((cell, at) =>
        [...cell.matchAll(/`(\w+)`/g)].map(([, name]) =>
          `${prefix}.${name} ${["refuse", "accept", "either"][at]}`
        )
      )
    );
    const variants = drillVariants.map(({ fault, expectation }) => `${fault} ${expectation}`);
    assertEquals(new Set(listed), new Set(variants));
  });
});
