import { assertEquals, assertMatch } from "@std/assert";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { loginChecks } from "../../../../src/lab/features/drill/compare_logins.ts";
import { sessionChecks } from "../../../../src/lab/features/drill/session_checks.ts";
import { leftOutReason } from "../../../../src/lab/features/drill/variants/attack_advice.ts";
import {
  drillVariants,
  variantsOfEveryServer,
} from "../../../../src/lab/features/drill/variants/variants.ts";
import { catalogue } from "../../../../src/lab/features/faults/catalogue.ts";

describe("The catalogue of the drill", () => {
  it("has every fault, or a reason why not", () => {
    const tried: string[] = drillVariants.map(({ fault }) => fault);
    assertEquals(new Set(tried).size, tried.length);
    for (const [fault] of catalogue) {
      const reason = leftOutReason(fault);
      const where = `Add ${fault} to variants/, or a reason to texts.json there, but not both`;
      assertEquals(reason === undefined, tried.includes(fault), where);
      if (reason !== undefined) assertMatch(reason, /^[A-Z].*\.$/);
    }
  });

  it("has the sentence that decides, and no MUST that binds servers or is in a draft", () => {
    const checks = [...sessionChecks, ...loginChecks];
    for (const { rule, see, why, binds } of [...variantsOfEveryServer, ...checks]) {
      assertMatch(why ?? "", /^\S.*\.$|…$/, see);
      if (rule !== "must") continue;
      assertEquals([binds, see.startsWith("draft-")], ["client", false], see);
    }
  });

  it("says for each variant what doing the opposite is, unless either is right", () => {
    for (const { fault, expectation, rule } of variantsOfEveryServer) {
      assertEquals(rule === undefined, expectation === "either", fault);
    }
  });

  it("has rows that ask a browser what it shows, and read no status or HTML", () => {
    const folder = "src/lab/features/drill";
    for (const name of ["page_checks", "session_checks", "user_checks"]) {
      const source = readFileSync(`${folder}/${name}.ts`, "utf8");
      assertEquals(/\.(?:status|firstStatus|html|headers)\b/.exec(source)?.[0], undefined, name);
    }
  });

  it("names the section of the rule for each variant", () => {
    const section =
      /^(OAuth 2\.1|OpenID Connect [\w -]+|RFC \d+|JARM|draft-[\w-]+), section [\d.]+$/;
    for (const { see } of drillVariants) assertMatch(see, section);
  });
});
