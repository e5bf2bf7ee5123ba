import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { parseClaim } from "../../../src/program/administration/claim_option.ts";

describe("parseClaim (OpenID Connect Core, section 5.1)", () => {
  const cases: Array<[assignment: string, name: string, value: unknown]> = [
    ["name=Dora", "name", "Dora"],
    ["name=true", "name", "true"],
    ["phone_number=4930123", "phone_number", "4930123"],
    ["email_verified=true", "email_verified", true],
    ["updated_at=1700000000", "updated_at", 1700000000],
    ['address={"country":"DE"}', "address", { country: "DE" }],
    ["age=40", "age", 40],
    ['groups=["a","b"]', "groups", ["a", "b"]],
    ["team=a=b", "team", "a=b"],
    ["https://app.example/role=boss", "https://app.example/role", "boss"],
  ];
  for (const [assignment, name, value] of cases) {
    it(`reads ${assignment}`, () => assertEquals(parseClaim(assignment), [name, value]));
  }
});
