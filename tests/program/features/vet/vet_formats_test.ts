import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { describeVariant } from "../../../../src/lab/features/drill/variants/attack_advice.ts";
import { drillVariants } from "../../../../src/lab/features/drill/variants/variants.ts";
import type { VetOutcome } from "../../../../src/program/features/vet/result/vet_result.ts";
import {
  createBaseline,
  decideVet,
} from "../../../../src/program/features/vet/result/vet_verdict.ts";
import {
  vetToJson,
  vetToJunit,
  vetToText,
} from "../../../../src/program/features/vet/vet_output.ts";
import schema from "../../../../static/vet.schema.json" with { type: "json" };
import { type JsonSchema, schemaProblems } from "../../../support/json_schema.ts";
import { acceptedIn, vetResult } from "./vet_result.ts";

/** One variant of each outcome; all others were not met. */
const outcomes: Record<string, Partial<VetOutcome>> = {
  "id_token.wrong_nonce": { outcome: "accepted" },
  "callback.wrong_state": { outcome: "refused", reason: "The client stopped." },
  "id_token.alg_none": { outcome: "noticed" },
  "id_token.expired": { outcome: "noticed" },
  "token.malformed_json": { outcome: "unstable", reason: "It failed too early." },
};
const mixed = vetResult(({ fault }) => outcomes[fault] ?? { outcome: "unmet", reason: "No such." });
/** A baseline of an earlier version of the suite, in which nothing was wrong. */
const clean = createBaseline(acceptedIn(), "0.1.0");
const mixedVerdict = decideVet(mixed, { failUnder: 80, baseline: clean });

describe("A result of vet as text", () => {
  it("begins with the score, and then with what needs work first", () => {
    const text = vetToText(mixed, mixedVerdict);
    assertMatch(text, /^Your tests would notice 2 of 4 attacks\.\n\nAccepted by the client/);
    const titles = [...text.matchAll(/^[A-Z].* \(\d+\)$/gm)].map(([title]) => title);
    assertEquals(titles.slice(0, 4), [
      "Accepted by the client, and noticed by no test (1)",
      "Refused by the client, but no test would notice if it were not (1)",
      "Failed for another reason, so nothing is known (1)",
      "Noticed by a test (2)",
    ]);
  });

  it("tells what an attacker gains, what to do, and the section", () => {
    const text = vetToText(mixed, mixedVerdict);
    assertStringIncludes(
      text,
      "id_token.wrong_nonce: Accepts an ID token that has a different nonce",
    );
    assertStringIncludes(text, "A stolen ID token or code is replayed in another session.");
    assertStringIncludes(text, "Compare the nonce with the one in the user's session.");
    assertStringIncludes(text, 'Why: OpenID Connect Core, section 3.1.3.7: "If a nonce value');
  });

  it("N4: names three of the attacks that were not met for a reason, and how many more", () => {
    const reasons = ["No keys.", "No keys.", "No userinfo.", "No keys.", "No keys.", "No keys."];
    const result = vetResult(({ fault }) => ({
      outcome: "unmet",
      reason: reasons[drillVariants.findIndex((each) => each.fault === fault)] ?? "No such.",
    }));
    const text = vetToText(result, decideVet(result));
    const [a, b, c, d] = drillVariants.map(({ fault }) => fault);
    assertStringIncludes(text, `  No keys.\n      ${a}, ${b}, ${d} and 2 more\n`);
    assertStringIncludes(text, `  No userinfo.\n      ${c}\n`);
    assert(text.split("\n").every((line) => line.length <= 100), text);
  });

  it("ends with why the suite does not pass", () => {
    const text = vetToText(mixed, mixedVerdict);
    assertMatch(text, /\n1 new finding: id_token\.wrong_nonce\.\nThe tests notice 50 % .* 80 %\.$/);
  });

  it("says so if the suite met no attack", () => {
    const none = vetResult(() => ({ outcome: "unmet" }));
    assertMatch(vetToText(none, decideVet(none)), /^Your tests met no attack\.\n/);
  });
});

describe("A result of vet as JSON", () => {
  it("fits its schema, with and without a baseline", () => {
    for (const verdict of [mixedVerdict, decideVet(mixed)]) {
      const value = JSON.parse(JSON.stringify(vetToJson(mixed, verdict, "0.1.0")));
      assertEquals(schemaProblems(schema as JsonSchema, value, {}), []);
      assertEquals([value.noticed, value.total, value.score], [2, 4, 50]);
    }
  });
});

describe("A result of vet as JUnit XML", () => {
  it("fails the case of each finding and of the criteria, and skips what is unknown", () => {
    const xml = vetToJunit(mixed, mixedVerdict);
    const failed = [...xml.matchAll(/<failure [^>]*type="([^"]*)"/g)].map(([, type]) => type);
    assertEquals(failed, ["criteria", "id_token.wrong_nonce"]);
    const unknown = mixed.outcomes.filter(({ outcome }) => /^un/.test(outcome)).length;
    assertMatch(xml, new RegExp(` failures="2" errors="0" skipped="${unknown}">`));
  });

  it("does not fail the case of a finding that the baseline has", () => {
    const xml = vetToJunit(mixed, decideVet(mixed, { baseline: createBaseline(mixed, "0.1.0") }));
    assertMatch(xml, / failures="0" /);
    assertStringIncludes(xml, "<system-out>Known.&#10;rule ");
  });
});

describe("The advice of an attack", () => {
  it("is there for every variant of the catalogue", () => {
    for (const variant of drillVariants) {
      const { gain, fix } = describeVariant(variant);
      assert(!gain.startsWith("The client accepts a response"), variant.fault);
      for (const sentence of [gain, fix]) assertMatch(sentence, /^[A-Z].*\.$/);
    }
  });
});
