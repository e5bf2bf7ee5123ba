import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  compareWithBaseline,
  createBaseline,
  decideVet,
  readBaseline,
} from "../../../../src/program/features/vet/result/vet_verdict.ts";
import { acceptedIn, vetResult } from "./vet_result.ts";

const nonce = "id_token.wrong_nonce";
const state = "callback.wrong_state";

describe("A baseline of vet", () => {
  it("is data that can be read again, in an order that does not change", () => {
    const baseline = createBaseline(acceptedIn(nonce), "0.1.0");
    assertEquals(readBaseline(JSON.parse(JSON.stringify(baseline))), baseline);
    assertEquals(Object.keys(baseline.outcomes), Object.keys(baseline.outcomes).toSorted());
    assertEquals(baseline.outcomes[nonce], "finding");
  });

  it("lets known findings pass, and fails with new ones", () => {
    const baseline = createBaseline(acceptedIn(nonce), "0.1.0");
    assertEquals(decideVet(acceptedIn(nonce), { baseline }).passed, true);
    const { passed, problems, change } = decideVet(acceptedIn(nonce, state), { baseline });
    assertEquals([passed, problems], [false, [`1 new finding: ${state}.`]]);
    assertEquals(change, { known: [nonce], added: [], appeared: [state], mended: [] });
  });

  it("does not fail with a variant that a later version adds, but names it", () => {
    const { outcomes, hallpass } = createBaseline(acceptedIn(), "0.1.0");
    const { [nonce]: _, ...older } = outcomes;
    const { passed, change } = decideVet(acceptedIn(nonce), {
      baseline: { hallpass, outcomes: older },
    });
    assertEquals([passed, change?.added], [true, [nonce]]);
  });

  it("fails with a variant that the suite did not meet before, and now accepts", () => {
    const unmet = vetResult(({ fault }) => ({ outcome: fault === nonce ? "unmet" : "noticed" }));
    const baseline = createBaseline(unmet, "0.1.0");
    assertEquals(compareWithBaseline(acceptedIn(nonce), baseline).appeared, [nonce]);
  });

  it("names what has been mended; a variant that is not met any more has not", () => {
    const baseline = createBaseline(acceptedIn(nonce), "0.1.0");
    assertEquals(compareWithBaseline(acceptedIn(), baseline).mended, [nonce]);
    const unmet = vetResult(() => ({ outcome: "unmet" }));
    assertEquals(compareWithBaseline(unmet, baseline).mended, []);
  });

  for (
    const value of [null, [], {}, { hallpass: 1, outcomes: {} }, {
      hallpass: "1",
      outcomes: { [nonce]: 3 },
    }]
  ) {
    it(`is refused if it is something else: ${JSON.stringify(value)}`, () => {
      assertThrows(() => readBaseline(value), Error, "Let vet write it.");
    });
  }
});

describe("The criteria of vet", () => {
  it("are met without a finding, unless more attacks must be noticed", () => {
    assertEquals(decideVet(acceptedIn()).problems, []);
    assertEquals(decideVet(acceptedIn(nonce)).problems, [`1 finding: ${nonce}.`]);
  });

  it("are not met by a suite that meets no attack", () => {
    const none = vetResult(() => ({ outcome: "unmet" }));
    assertEquals(decideVet(none).passed, false);
    assertEquals(decideVet(none, { failUnder: 1 }).passed, false);
  });

  it("are compared with the score without rounding", () => {
    const half = vetResult(({ fault, expectation }) => {
      if (expectation === "accept") return { outcome: "accepted" };
      return { outcome: fault.startsWith("id_token.") ? "refused" : "noticed" };
    });
    const { score } = decideVet(half);
    assertEquals(decideVet(half, { failUnder: score }).passed, true);
    assertEquals(decideVet(half, { failUnder: score + 1 }).problems, [
      `The tests notice ${score} % of the attacks; they must notice ${score + 1} %.`,
    ]);
  });
});
