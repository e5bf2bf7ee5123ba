import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { minPasswordLength } from "../../../src/server/config/passwords.ts";
import { newPasswordProblem } from "../../../src/server/features/account/password_page.ts";

const user = { name: "dora-of-the-example", claims: { email: "dora-dora@x.example", phone: 5 } };
const good = "a".repeat(minPasswordLength);

describe("newPasswordProblem (NIST SP 800-63B, section 3.1.1.2)", () => {
  type Problem = ReturnType<typeof newPasswordProblem>;
  const cases: Array<[next: string, problem: Problem, repeated?: string]> = [
    [good, undefined],
    ["🎉".repeat(minPasswordLength), undefined],
    [good.slice(1), "tooShort"],
    ["🎉".repeat(minPasswordLength - 1), "tooShort"],
    ["Dora-of-the-Example", "isName"],
    ["DORA-DORA@x.example", "isName"],
    ["the current password", "unchanged"],
    [good, "notRepeated", `${good}a`],
  ];
  for (const [next, problem, repeated = next] of cases) {
    it(`is ${problem} for '${next}', repeated as '${repeated}'`, () => {
      const typed = { current: "the current password", next, repeated };
      assertEquals(newPasswordProblem(user, typed), problem);
    });
  }
});
