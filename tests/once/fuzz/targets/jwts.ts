import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { indentJson } from "../../../../src/lab/util/json_values.ts";
import {
  clientAssertionProblem,
  peekClientAssertion,
} from "../../../../src/server/protocol/client_assertion.ts";
import {
  candidateKeys,
  clientKeyProblem,
  isCostlyKey,
  keyFitsAlgorithm,
} from "../../../../src/server/protocol/client_key.ts";
import { checkDpopProof, dpopAlgorithms } from "../../../../src/server/protocol/dpop_proof.ts";
import { jwtKindOf, jwtTimesProblem } from "../../../../src/server/protocol/jwt.ts";
import {
  requestObjectParameters,
  requestObjectProblem,
} from "../../../../src/server/protocol/request_delivery.ts";
import { applyRule } from "../../../../src/server/protocol/rule.ts";
import { canonicalJson, isObject, parseJson } from "../../../../src/server/util/text/json.ts";
import { makeClientKey } from "../../../support/client_key.ts";
import { acceptedBy, type FuzzTarget, fuzzTarget } from "../fuzz_target.ts";
import { anyText } from "../generators/texts.ts";
import { anyClaims, anyJson, anyJsonText, anyJwt } from "../generators/values.ts";

const issuer = "https://hallpass.test";
const { publicJwk } = await makeClientKey();

/** A public key of which something is missing or wrong. */
const almostKey = fc.tuple(
  fc.constantFrom<object>(publicJwk, { kty: "RSA", n: "AQAB", e: "AQAB" }, { kty: "oct", k: "a" }),
  fc.dictionary(fc.constantFrom("kty", "crv", "x", "n", "e", "alg", "kid", "use", "d"), anyJson),
).map(([key, changes]) => ({ ...key, ...changes }));

/** JSON, keys, and JWTs that nobody signed. */
export const jwtTargets: readonly FuzzTarget[] = [
  fuzzTarget("parseJson and canonicalJson agree", anyJsonText, (text) => {
    const value = parseJson(text);
    indentJson(text);
    if (value === undefined) return;
    const canonical = canonicalJson(value);
    assertEquals(canonicalJson(JSON.parse(canonical)), canonical);
    assertEquals(canonicalJson(reversed(value)), canonical);
  }),

  fuzzTarget("peekClientAssertion reads any text", anyJwt, (jwt) => {
    const client = peekClientAssertion(jwt);
    if (client) assert(client.clientId !== "");
  }),

  fuzzTarget("checkDpopProof accepts no proof that nobody signed", anyJwt, async (proof) => {
    const request = { method: "POST", urls: [`${issuer}/token`], algs: dpopAlgorithms, now: 0 };
    assertEquals(await acceptedBy(() => checkDpopProof(applyRule, proof, request)), undefined);
  }),

  fuzzTarget("claims of any shape are judged", anyClaims, (all) => {
    const expected = { clientId: "demo-jwt", issuer, now: 1_767_225_600 };
    if (clientAssertionProblem(all, expected) === undefined) {
      assertEquals([all.iss, all.sub, all.aud], ["demo-jwt", "demo-jwt", issuer]);
      assert(Number.isFinite(all.exp) && typeof all.jti === "string");
    }
    jwtTimesProblem(all, expected.now, { needsExp: false, maxLifetime: 60 });
    jwtKindOf(all.typ, all);
  }),

  fuzzTarget("request objects of any shape are judged and read", anyClaims, (all) => {
    const expected = { clientId: "demo-jwt", issuer, needsTimes: true, now: 1_767_225_600 };
    const problem = requestObjectProblem(all, expected);
    if (problem === undefined) assertEquals(all.client_id, "demo-jwt");
    const parameters = requestObjectParameters(all);
    for (const name of Object.keys(all)) {
      assert(parameters.all(name).every((value) => typeof value === "string"));
    }
  }),

  fuzzTarget("keys of any shape are judged", fc.tuple(almostKey, anyText), ([key, alg]) => {
    isCostlyKey(key);
    const problem = clientKeyProblem(key);
    if (problem === undefined) assert(!("d" in key) && !("k" in key));
    for (const each of candidateKeys([key], { alg: "ES256" })) {
      assert(keyFitsAlgorithm(each, "ES256"));
    }
    keyFitsAlgorithm(key, alg);
  }),
];

/** Turns the order of all members around. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).reverse().map(([name, inner]) => [name, reversed(inner)]);
  return Object.fromEntries(entries);
}
