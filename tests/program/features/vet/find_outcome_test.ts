import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import {
  type DrillVariant,
  drillVariants,
} from "../../../../src/lab/features/drill/variants/variants.ts";
import type { FaultName } from "../../../../src/lab/features/faults/catalogue.ts";
import {
  isFinding,
  type VetOutcome,
  vetResultOf,
} from "../../../../src/program/features/vet/result/vet_result.ts";
import {
  findOutcome,
  type WatchedRun,
} from "../../../../src/program/features/vet/runs/find_outcome.ts";
import { unmetProblem } from "../../../../src/program/features/vet/runs/run_suite.ts";
import type { SuiteRun } from "../../../../src/program/features/vet/runs/suite_runner.ts";
import type { Traffic } from "../../../../src/program/features/vet/runs/traffic.ts";
import { present } from "../../../support/present.ts";

const variant = variantOf("callback.wrong_state");
const code = "token authorization_code";
const plainSteps = { "authorization response": 2, [code]: 2, userinfo: 1 };

function watched(
  run: Partial<SuiteRun>,
  steps: Traffic["steps"] = plainSteps,
  fired = 1,
): WatchedRun {
  const traffic = {
    requests: 5,
    steps,
    changeable: new Set<string>(),
    revealing: [],
    logoutStatuses: [],
  };
  return { run: { passed: true, milliseconds: 7, ...run }, traffic, fired };
}

function variantOf(name: FaultName): DrillVariant {
  return present(drillVariants.find(({ fault }) => fault === name));
}

function outcomeOf(run: WatchedRun): VetOutcome["outcome"] {
  return findOutcome(variant, run, plainSteps).outcome;
}

const fails: Partial<SuiteRun> = { passed: false };

/** What a run shows, by what was seen of it. */
const shown: Record<string, [run: WatchedRun, outcome: VetOutcome["outcome"]]> = {
  "a failed run": [watched(fails), "noticed"],
  "a run that does not end": [watched({ ...fails, ended: "timeout" }), "noticed"],
  "a failed run after which the client stopped": [watched(fails, {}), "noticed"],
  "a failed run without a change": [watched(fails, plainSteps, 0), "unstable"],
  "a passed run without a change": [watched({}, plainSteps, 0), "unmet"],
  "the traffic of the first run": [watched({}), "accepted"],
  "more traffic than in the first run": [watched({}, { ...plainSteps, [code]: 3 }), "accepted"],
  "fewer codes redeemed": [watched({}, { ...plainSteps, [code]: 1 }), "refused"],
  "no token used": [watched({}, { "authorization response": 2, [code]: 2 }), "refused"],
};

describe("What a run under a variant shows", () => {
  for (const [what, [run, outcome]] of Object.entries(shown)) {
    it(`is '${outcome}' for ${what}`, () => assertEquals(outcomeOf(run), outcome));
  }

  it("without keys, is what the alg shows: refused, or unmet because nothing can be noticed", () => {
    const byAlg = variantOf("id_token.hs256_with_public_key");
    const accepts = findOutcome(byAlg, watched({}), plainSteps);
    assertEquals(accepts.outcome, "unmet");
    assertMatch(accepts.reason ?? "", /^The application verifies no signature: TLS may vouch/);
    assertEquals(findOutcome(byAlg, watched({}, {}), plainSteps).outcome, "refused");
    assertEquals(findOutcome(byAlg, watched(fails), plainSteps).outcome, "noticed");
  });

  it("without keys, is looked for only where the alg may show it", () => {
    const faults = ["id_token.hs256_with_public_key", "id_token.foreign_signature"] as const;
    const traffic = { ...watched({}).traffic, changeable: new Set<string>(faults) };
    const met = faults.filter((fault) => unmetProblem(variantOf(fault), traffic) === undefined);
    assertEquals(met, ["id_token.hs256_with_public_key"]);
  });

  it("is 'refused' for another login after a refresh, and 'accepted' for another refresh", () => {
    const afterRefresh = present(drillVariants.find(({ fault }) => fault === "refresh.wrong_iss"));
    const plain = { ...plainSteps, "token refresh_token": 1 };
    const outcome = (steps: Traffic["steps"]) =>
      findOutcome(afterRefresh, watched({}, { ...plain, ...steps }), plain).outcome;
    assertEquals(outcome({ [code]: 3 }), "refused");
    assertEquals(outcome({ "token refresh_token": 2 }), "accepted");
  });

  it("has how long it took", () => {
    assertEquals(findOutcome(variant, watched(fails), plainSteps).milliseconds, 7);
  });
});

describe("A finding of vet", () => {
  const outcomes = ["noticed", "accepted", "refused", "unmet", "unstable"] as const;
  const findings = { refuse: ["accepted"], accept: ["noticed", "refused"], either: [] };

  const variantTo = (expectation: DrillVariant["expectation"]): DrillVariant => ({
    ...variant,
    expectation,
    class: expectation === "either" ? undefined : "rule",
  });

  for (const expectation of ["refuse", "accept", "either"] as const) {
    it(`is decided by what a client must do: ${expectation}`, () => {
      const found = outcomes.filter((outcome) => isFinding({ ...variantTo(expectation), outcome }));
      assertEquals(found, findings[expectation]);
    });
  }

  it("counts attacks only: what a client must accept is none", () => {
    const plain = { milliseconds: 1, steps: {}, met: [] };
    const all = (["refuse", "accept", "either"] as const).flatMap((expectation) =>
      outcomes.map((outcome) => ({ ...variantTo(expectation), outcome }))
    );
    const { noticed, total, findings } = vetResultOf(plain, all);
    assertEquals([noticed, total, findings.length], [1, 3, 3]);
  });
});
