import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import {
  drillVariants,
  mcpVariantsFor,
} from "../../../src/lab/features/drill/variants/variants.ts";
import { catalogue } from "../../../src/lab/features/faults/catalogue.ts";
import { type FaultName, hallpass } from "../../../src/lab/testing/mod.ts";
import { calls, misdeeds } from "./endpoint_calls.ts";
import { labFor, type LibraryUse, useOauth4webapi, useOpenidClient } from "./library_drills.ts";

/**
 * What they accept, though they should not; and a library does not know who was signed in when it
 * refreshes: the application has to compare.
 */
const lenient: FaultName[] = ["id_token.foreign_azp", "refresh.wrong_sub"];

/** What our logins refuse, though they may accept it: the right value comes first in a doubled one. */
const strict: FaultName[] = [
  ...(["callback.doubled_state", "callback.doubled_iss", "callback.error_and_code"] as const),
  ...(["logout.wrong_state", "logout.without_state"] as const),
];

/**
 * What a client without assertions, with one redirect URI, and no logout URI never meets, nor one
 * that does not register itself, and sends one request at a time.
 */
const never =
  /^metadata\.foreign_token_endpoint$|^callback\.other_redirect_uri$|^(logout_token|register)\.|\.held$|^token\.bearer_for_dpop$|^id_token\.(old_auth_time|hs256_with_secret)$/;
/** What only a client notices that verifies the signature of the ID token. */
const ofSignature = /^id_token\.(foreign_signature|with_)/;
const onlySigned = /^jarm\.|^userinfo\.(wrong_iss|wrong_aud|alg_none|foreign_signature)$/;

/** How the libraries are used. */
const uses: readonly LibraryUse[] = [
  { signed: false, verifies: false },
  { signed: false, verifies: true },
  { signed: true, verifies: false },
  { signed: true, verifies: true },
];

function isUnmet(fault: FaultName, { signed, verifies }: LibraryUse): boolean {
  if (never.test(fault)) return true;
  if (!signed && onlySigned.test(fault)) return true;
  if (verifies) return false;
  return ofSignature.test(fault) || signed && fault === "userinfo.foreign_signature";
}

/** Whether a library refuses what it may accept: it wants to know the key if it looks for one. */
function isStrictAbout(fault: FaultName, { signed, verifies }: LibraryUse): boolean {
  if (fault === "id_token.unknown_kid") return verifies;
  if (fault === "jwks.several_without_kid") return signed || verifies;
  return strict.includes(fault);
}

/** Returns what an application may accept, and the libraries accept. */
function toleratedWith(use: LibraryUse): FaultName[] {
  return drillVariants
    .filter(({ fault, expectation }) => expectation !== "refuse" || lenient.includes(fault))
    .map(({ fault }) => fault)
    .filter((fault) => !never.test(fault) && !isStrictAbout(fault, use));
}

describe("The whole drill", () => {
  for (const [name, run] of Object.entries({ useOauth4webapi, useOpenidClient })) {
    for (const use of uses) {
      it(`${name} with ${JSON.stringify(use)} accepts what must be accepted`, async () => {
        await using lab = await hallpass(labFor(use));
        const result = await lab.drill(() => run(lab, use));
        assertEquals(result.accepted, []);
        assertEquals(result.wronglyRefused, []);
        assertEquals(result.tolerated, toleratedWith(use));
        const unmet = drillVariants.map(({ fault }) => fault).filter((each) => isUnmet(each, use));
        assertEquals(result.unmet, unmet);
      });
    }
  }
});

describe("A fault", () => {
  it("is described in the catalogue, and has a test", () => {
    const source = [
      "tests/once/oauth4webapi/with_faults_test.ts",
      "tests/lab/features/faults/forged_jwts_test.ts",
      "tests/lab/features/faults/with_jwe_test.ts",
      "tests/lab/features/faults/changed_responses_test.ts",
      "tests/lab/features/faults/unusual_responses_test.ts",
      "tests/lab/grants_less_test.ts",
      "tests/features/enterprise/with_faults_test.ts",
      "tests/lab/features/drill/planted_rows.ts",
      "tests/lab/features/drill/with_mcp_test.ts",
      "tests/lab/features/drill/production_test.ts",
      "tests/lab/features/drill/signatures_test.ts",
      "tests/lab/features/drill/new_variants_test.ts",
      "tests/lab/features/drill/forgotten_client_test.ts",
      "tests/lab/features/ciba/with_faults_test.ts",
      "tests/lab/features/workloads/with_faults_test.ts",
    ].map((file) => readFileSync(file, "utf8")).join();
    const drilled: string[] = mcpVariantsFor([]).map(({ fault }) => fault);
    const byEndpoint = Object.keys(calls).flatMap((place) =>
      [...misdeeds, "slow", "never", "response", "changed"].map((misdeed) => `${place}.${misdeed}`)
    );
    for (const [name, { summary }] of catalogue) {
      const isMet = [byEndpoint, drilled, source].some((names) => names.includes(name));
      assert(isMet, `no test meets ${name}: add one to a file of this list`);
      assertMatch(summary, /^[A-Z].*\.$/);
    }
  });
});
