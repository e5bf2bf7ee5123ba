import { assertEquals, assertMatch } from "@std/assert";
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
      const where = `Add ${fault} to variants/, or a reason to left_out.ts there, but not both`;
      assertEquals(reason === undefined, tried.includes(fault), where);
      if (reason !== undefined) assertMatch(reason, /^[A-Z].*\.$/);
    }
  });

  it("names the section of the rule for each variant", () => {
    const section =
      /^(OAuth 2\.1|OpenID Connect [\w -]+|RFC \d+|JARM|draft-[\w-]+), section [\d.]+$/;
    for (const { see } of drillVariants) assertMatch(see, section);
  });
});
