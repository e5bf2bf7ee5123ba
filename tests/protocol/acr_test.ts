import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Client } from "../../src/server/model/client.ts";
import {
  acrOfPassword,
  attainableAcrValues,
  readRequestedAcr,
  satisfiedAcr,
} from "../../src/server/protocol/acr.ts";
import type { RequestedClaim } from "../../src/server/protocol/claims_request.ts";

/** Reads what a client requests by `acr_values`, by the claim, and by its default. */
function read(
  acrValues: string | undefined,
  acr?: RequestedClaim,
  defaultAcrValues: string[] = [],
) {
  const claims = acr && { userinfo: {}, idToken: { acr } };
  return readRequestedAcr(acrValues, claims, { defaultAcrValues } as Partial<Client> as Client);
}

describe("readRequestedAcr (OpenID Connect Core, section 5.5.1.1)", () => {
  const voluntary = (...values: string[]) => ({ values, essential: false });
  const essential = (...values: string[]) => ({ values, essential: true });

  it("reads nothing from a request without any", () => {
    const expected = [undefined, undefined, essential()];
    assertEquals([read(undefined), read(" "), read("", essential())], expected);
  });

  it("prefers an essential claim to acr_values, and those to a voluntary one", () => {
    assertEquals(read("a b", essential("c")), essential("c"));
    assertEquals(read("a b", voluntary("c")), voluntary("a", "b"));
    assertEquals(read(undefined, voluntary("c")), voluntary("c"));
  });

  it("takes an essential claim without values for one that every value meets", () => {
    assertEquals(read("a", { essential: true }), voluntary("a"));
    assertEquals(read(undefined, { essential: true }), undefined);
  });

  it("takes the client's default last", () => {
    assertEquals(read(undefined, undefined, ["d"]), voluntary("d"));
    assertEquals(read("a", undefined, ["d"]), voluntary("a"));
  });

  it("ignores values that are not strings", () => {
    assertEquals(read(undefined, { essential: true, values: ["a", 5] }), essential("a"));
  });
});

describe("satisfiedAcr (OpenID Connect Core, section 5.5.1.1)", () => {
  const supported = ["weak", "strong"];
  const satisfied = (values: string[], reached: string | undefined) =>
    satisfiedAcr({ values, essential: false }, reached, supported);

  const cases: Array<[values: string[], reached: string | undefined, expected?: string]> = [
    [["weak"], "weak", "weak"],
    [["weak"], "strong", "weak"],
    [["strong"], "weak"],
    [["strong", "weak"], "weak", "weak"],
    [["unknown"], "strong"],
    [["weak"], "unknown"],
    [["retired"], "retired", "retired"],
    [["weak"], undefined],
  ];
  for (const [values, reached, expected] of cases) {
    it(`is ${expected} of '${values.join(" ")}' after a sign-in with ${reached}`, () => {
      assertEquals(satisfied(values, reached), expected);
    });
  }

  it("is undefined if none was requested", () => {
    assertEquals(satisfiedAcr(undefined, "weak", supported), undefined);
    assertEquals(attainableAcrValues(undefined, supported), []);
  });
});

describe("acrOfPassword (OpenID Connect EAP ACR Values 1.0, section 2)", () => {
  it("returns the weakest value, and never one that claims to resist phishing", () => {
    const lists = [["one", "phr"], ["phr", "one"], ["phr"], []];
    assertEquals(lists.map(acrOfPassword), ["one", "one", undefined, undefined]);
  });
});
