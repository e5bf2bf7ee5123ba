import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { Buffer } from "node:buffer";
import { readClientCredentials } from "../../../../src/server/protocol/client_authentication.ts";
import {
  checkParameterLengths,
  checkRepeatedParameters,
  decodeForm,
  parseParameters,
} from "../../../../src/server/protocol/form_parameters.ts";
import { readPresentedToken } from "../../../../src/server/protocol/presented_token.ts";
import { applyRule } from "../../../../src/server/protocol/rule.ts";
import { parseScope, readScope } from "../../../../src/server/protocol/scope.ts";
import { acceptedBy, type FuzzTarget, fuzzTarget } from "../fuzz_target.ts";
import { anyForm, anyPairs, encodePairs, parameterValues } from "../generators/forms.ts";
import { anyText, mutated } from "../generators/texts.ts";

/** A pair that a form can carry as it is: a lone surrogate and a null character have no place. */
const plainPairs = anyPairs.map((pairs) =>
  pairs.filter(([name, value]) => [name, value].every((text) => isPlain(text)))
);

function isPlain(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

const basicHeader = fc.tuple(anyText, anyText, fc.constantFrom("Basic ", "basic  ", "Bearer ", ""));

/** Parameters, and the credentials among them. */
export const parameterTargets: readonly FuzzTarget[] = [
  fuzzTarget("parseParameters reads what a form was made of", plainPairs, async (pairs) => {
    const parameters = await acceptedBy(() => parseParameters(applyRule, encodePairs(pairs)));
    // Only limits of length and number can refuse it.
    if (!parameters) return;
    for (const [name] of pairs) {
      const values = pairs.filter(([other, value]) => other === name && value !== "");
      assertEquals(parameters.all(name), values.map(([, value]) => value));
      assertEquals(parameters.repeated.has(name), pairs.filter(([n]) => n === name).length > 1);
    }
  }),

  fuzzTarget("parseParameters refuses or reads any text", anyForm, async (text) => {
    const parameters = await acceptedBy(() => parseParameters(applyRule, text));
    if (!parameters) return;
    const names = text.split("&").map((piece) => decodeForm(piece.split("=", 1).join()) ?? "");
    for (const value of names.flatMap((name) => parameters.all(name))) {
      assert(value !== "" && value.isWellFormed() && !value.includes("\0"), value);
    }
    await acceptedBy(() => checkRepeatedParameters(applyRule, parameters));
    await acceptedBy(() => checkParameterLengths(applyRule, parameters));
  }),

  fuzzTarget(
    "readClientCredentials reads Basic as it was written",
    fc.tuple(anyText, anyText).filter((pair) => pair.every(isPlain)),
    ([id, secret]) => {
      const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
      const credentials = readClientCredentials(
        applyRule,
        `Basic ${btoa(pair)}`,
        parseParameters(applyRule, ""),
      );
      const { method, clientId, proof } = credentials;
      assertEquals([method, clientId, proof], ["client_secret_basic", id, secret]);
    },
  ),

  fuzzTarget(
    "readClientCredentials refuses or reads any header and form",
    fc.tuple(fc.oneof(fc.constant(null), mutated(basicHeader.map(encodeBasic))), anyForm),
    async ([header, form]) => {
      const credentials = await acceptedBy(() =>
        readClientCredentials(applyRule, header, parseParameters(applyRule, form))
      );
      if (!credentials) return;
      assert(credentials.clientId.isWellFormed() && credentials.proof.isWellFormed());
      if (header !== null) assertEquals(credentials.method, "client_secret_basic");
    },
  ),

  fuzzTarget(
    "readPresentedToken refuses or reads any header and form",
    fc.tuple(mutated(fc.constantFrom("Bearer abc", "DPoP abc", "Bearer a.b.c==")), anyForm),
    async ([header, form]) => {
      const policy = { schemes: ["Bearer", "DPoP"] as const, algs: ["ES256"] };
      const presented = await acceptedBy(() =>
        readPresentedToken(applyRule, header, parseParameters(applyRule, form), policy)
      );
      if (presented) assert(presented.token !== "");
    },
  ),

  fuzzTarget("readScope gives no scope that is not allowed", anyText, async (text) => {
    const allowed = ["openid", "read", "a:b"];
    const scope = await acceptedBy(() => readScope(applyRule, text, allowed, ["read"]));
    assert((scope ?? []).every((token) => allowed.includes(token)));
  }),

  fuzzTarget(
    "parseScope returns what it was given",
    parameterValues.scope ?? anyText,
    async (text) => {
      const scope = await acceptedBy(() => parseScope(applyRule, text));
      if (!scope) return;
      assertEquals(new Set(text.split(" ")), new Set(scope));
      assertEquals(parseScope(applyRule, scope.join(" ")), scope);
    },
  ),
];

function encodeBasic([id, secret, scheme]: [string, string, string]): string {
  return `${scheme}${Buffer.from(`${id}:${secret}`).toString("base64")}`;
}
