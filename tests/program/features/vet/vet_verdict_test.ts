import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import type { FaultName } from "../../../../src/lab/features/faults/catalogue.ts";
import { decideVet } from "../../../../src/program/features/vet/result/vet_verdict.ts";
import { unmetProblem } from "../../../../src/program/features/vet/runs/run_suite.ts";
import {
  selectVetVariants,
  vetVariants,
} from "../../../../src/program/features/vet/runs/vet_variants.ts";
import { vetResult } from "./vet_result.ts";

describe("The verdict of vet", () => {
  it("N4: is no pass for tests that met none of the variants", () => {
    const { passed, problems } = decideVet(vetResult(() => ({ outcome: "unmet" })));
    assertEquals([passed, problems.length], [false, 1]);
    assertMatch(problems[0] ?? "", /met none of the variants/);
  });

  it("N4: has a reason for each variant that was not met", () => {
    const nothing = { requests: 1, steps: {}, revealing: [], logoutStatuses: [] };
    const every = { ...nothing, changeable: new Set(vetVariants.map(({ fault }) => fault)) };
    for (const variant of vetVariants) {
      assertMatch(unmetProblem(variant, { ...every, changeable: new Set() }) ?? "", /gets no/);
      const { needsUserinfo, needsKeys, showsInHeader } = variant;
      if (!needsUserinfo && (!needsKeys || showsInHeader)) continue;
      assertMatch(unmetProblem(variant, every) ?? "", /shows it|none\.$|checks no signature\.$/);
    }
  });

  it("N4: has the nearest name in place of a misspelled one", () => {
    const misspelled = "callback.wrong_stat" as FaultName;
    const { message } = assertThrows(() => selectVetVariants([misspelled]), Error);
    const expected = "There is no login variant 'callback.wrong_stat'. Did you mean " +
      "'callback.wrong_state'?";
    assertEquals(message, expected);
  });
});
