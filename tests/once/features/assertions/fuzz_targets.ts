import { assert, assertEquals } from "@std/assert";
import { assertionClaimRules } from "../../../../src/server/features/assertions/assertion_rules.ts";
import {
  assertionResources,
  assertionScope,
  peekBearerAssertion,
} from "../../../../src/server/features/assertions/bearer_assertion.ts";
import { acceptedBy, type FuzzTarget, fuzzTarget } from "../../fuzz/fuzz_target.ts";
import { anyClaims, anyJwt } from "../../fuzz/generators/values.ts";

const issuer = "https://hallpass.test";

/** Assertions that nobody signed, and claims of any shape. */
export const assertionTargets: readonly FuzzTarget[] = [
  fuzzTarget("peekBearerAssertion reads any text", anyJwt, (jwt) => {
    const bearer = peekBearerAssertion(jwt);
    if (bearer) assertEquals(typeof bearer.issuer, "string");
  }),

  fuzzTarget("claims of an assertion of any shape are judged", anyClaims, async (claims) => {
    const unverified = { issuer, isIdJag: false };
    const expected = { clientId: "demo-jwt", issuer, audience: issuer, now: 1_767_225_600 };
    const facts = { claims, ...expected, unverified };
    if (!Object.values(assertionClaimRules).every((rule) => rule.holds(facts))) return;
    assertEquals([claims.iss, claims.aud], [issuer, issuer]);
    const scope = await acceptedBy(() => assertionScope(claims, ["read"]));
    assert((scope ?? []).every((token) => token === "read"));
    assert((assertionResources(claims) ?? []).every((each) => typeof each === "string"));
  }),
];
