import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { readAuthorizationDetails } from "../../../../src/server/protocol/authorization_details.ts";
import { readAuthorizationRequest } from "../../../../src/server/protocol/authorization_request.ts";
import { readClaimsRequest } from "../../../../src/server/protocol/claims_request.ts";
import { parseParameters } from "../../../../src/server/protocol/form_parameters.ts";
import { checkCodeVerifier, readCodeChallenge } from "../../../../src/server/protocol/pkce.ts";
import { readResponseTarget } from "../../../../src/server/protocol/response_target.ts";
import { applyRule } from "../../../../src/server/protocol/rule.ts";
import { sha256 } from "../../../../src/server/util/crypto/hash.ts";
import { canonicalJson } from "../../../../src/server/util/text/json.ts";
import { challenge, openKit, verifier } from "../../../support/kit.ts";
import { present } from "../../../support/present.ts";
import { acceptedBy, type FuzzTarget, fuzzTarget } from "../fuzz_target.ts";
import { anyForm, anyPairs, encodePairs, type Pair } from "../generators/forms.ts";
import { applyEdit, mutated, textEdit } from "../generators/texts.ts";
import { anyJsonText } from "../generators/values.ts";

const { settings } = openKit().server.context;
const client = present(await settings.clients.get("demo-spa"));
const registered = "https://hallpass.test/authorized";

const validRequest: Pair[] = [
  ["response_type", "code"],
  ["client_id", "demo-spa"],
  ["redirect_uri", registered],
  ["scope", "openid read"],
  ["state", "a-state"],
  ["code_challenge", challenge],
  ["code_challenge_method", "S256"],
];

/** A valid authorization request, of which something is left out, added or changed. */
const almostValidRequest = fc.tuple(
  fc.subarray(validRequest, { minLength: 4 }),
  anyPairs,
  fc.array(textEdit, { maxLength: 1 }),
).map(([valid, more, edits]) =>
  edits.reduce(applyEdit, encodePairs([...valid, ...more])).toWellFormed()
);

const detailTypes = {
  payment: {
    meaning: "Pay",
    members: { amount: "number", "to?": "text", at: { "bank?": "texts" } },
  },
  ["constructor"]: { meaning: "Build", members: { "__proto__?": "text" } },
} as const;

const details = fc.oneof(
  anyJsonText,
  mutated(fc.constantFrom(
    '[{"type":"payment","amount":1,"to":"me","at":{"bank":["a"]}}]',
    '[{"type":"constructor","__proto__":"x"}]',
  )),
);

/** Requests and the rules about them. */
export const requestTargets: readonly FuzzTarget[] = [
  fuzzTarget("readAuthorizationRequest gives what the client may have", almostValidRequest, async (
    text,
  ) => {
    const request = await acceptedBy(() => {
      const parameters = parseParameters(applyRule, text);
      const target = readResponseTarget(applyRule, parameters, client);
      assertEquals(target.redirectUri, registered);
      return readAuthorizationRequest(applyRule, parameters, client, target, settings);
    });
    if (!request) return;
    assert(request.scope.every((token) => settings.scopes.has(token)));
    assertEquals(request.codeChallenge?.length, 43);
    // It is stored as JSON while the user signs in.
    const stored = JSON.parse(JSON.stringify(request));
    assertEquals(canonicalJson(stored), canonicalJson(JSON.parse(JSON.stringify(stored))));
    assert(JSON.stringify(request).isWellFormed());
  }),

  fuzzTarget("readAuthorizationDetails keeps to the declared members", details, async (text) => {
    const read = await acceptedBy(() =>
      readAuthorizationDetails(applyRule, text, detailTypes, Object.keys(detailTypes))
    );
    for (const { type, ...members } of read ?? []) {
      assert(["payment", "constructor"].includes(type));
      const names = ["amount", "to", "at", "__proto__"];
      assert(Object.keys(members).every((name) => names.includes(name)));
    }
  }),

  fuzzTarget("readClaimsRequest reads only what may be requested", anyJsonText, async (text) => {
    const claims = await acceptedBy(() =>
      readClaimsRequest(applyRule, text, (claim) => claim === "email")
    );
    for (const requested of [claims?.userinfo ?? {}, claims?.idToken ?? {}]) {
      assert(Object.keys(requested).every((name) => name === "email"));
    }
  }),

  fuzzTarget(
    "checkCodeVerifier accepts the one verifier",
    fc.tuple(mutated(fc.constant(verifier)), mutated(fc.constant(challenge))),
    async ([codeVerifier, codeChallenge]) => {
      let matches = true;
      try {
        await checkCodeVerifier(applyRule, codeChallenge, codeVerifier);
      } catch {
        matches = false;
      }
      const isRight = codeVerifier.length >= 43 && await sha256(codeVerifier) === codeChallenge;
      if (matches) assert(isRight);
      if (codeVerifier === verifier && codeChallenge === challenge) assert(matches);
    },
  ),

  fuzzTarget("readCodeChallenge accepts S256 alone", anyForm, async (text) => {
    const read = await acceptedBy(() =>
      readCodeChallenge(applyRule, parseParameters(applyRule, text), "required")
    );
    if (read !== undefined) assert(/^[\w-]{43}$/.test(read), read);
  }),
];
