import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  foldFindings,
  type FoldRule,
  unfoldFindings,
} from "../../../../src/lab/features/verdicts/fold.ts";
import type { Finding } from "../../../../src/lab/findings/finding.ts";
import type { FindingGrade } from "../../../../src/lab/findings/grade.ts";

function found(id: string, grade: FindingGrade = "C"): Finding {
  return { id, title: `${id}.`, grade, kind: "security", where: {} };
}

const rules: readonly FoldRule[] = [
  { found: ["wrong_aud"], explains: ["without_aud"] },
  { found: ["signature"], explains: ["alg_none", "key_*"] },
  { found: ["wrong_iss", "wrong_aud"], title: "No claim is checked." },
  { found: ["expired"], explains: ["logout_expired"], unless: "logout_event" },
  { found: ["signature", "wrong_iss", "wrong_aud"], title: "Nothing is checked." },
];

/** What is found, and what remains: each finding, with what it explains. */
const cases: ReadonlyArray<readonly [what: string, ids: string[], remaining: string[]]> = [
  ["leaves findings alone that nothing explains", ["nonce", "wrong_aud"], ["nonce", "wrong_aud"]],
  ["puts what a finding explains below it", ["without_aud", "wrong_aud"], [
    "wrong_aud: without_aud",
  ]],
  ["keeps what would be explained by a finding that is not there", ["without_aud"], [
    "without_aud",
  ]],
  ["knows a family of ids", ["signature", "key_jwk", "key_jku", "alg_none"], [
    "signature: key_jwk key_jku alg_none",
  ]],
  ["folds findings together only if all are found", ["wrong_iss", "nonce"], ["wrong_iss", "nonce"]],
  ["folds what was a finding for others", ["wrong_aud", "without_aud", "wrong_iss"], [
    "wrong_iss: wrong_iss wrong_aud without_aud",
  ]],
  ["keeps what is a mistake of its own", ["expired", "logout_expired", "logout_event"], [
    "expired",
    "logout_expired",
    "logout_event",
  ]],
  ["finds one mistake where nothing is checked", [
    ...["wrong_iss", "wrong_aud", "without_aud", "signature", "alg_none", "nonce"],
  ], ["signature: signature wrong_iss wrong_aud without_aud alg_none", "nonce"]],
];

describe("Findings of one mistake", () => {
  for (const [what, ids, remaining] of cases) {
    it(what, () => {
      const folded = foldFindings(ids.map((id) => found(id)), rules);
      const shown = folded.map(({ id, folded = [] }) =>
        [id, folded.map((each) => each.id).join(" ")].filter(Boolean).join(": ")
      );
      assertEquals(shown, remaining);
      const unfolded = unfoldFindings(folded).map(({ id, title }) => [id, title]);
      assertEquals(unfolded.toSorted(), ids.map((id) => [id, `${id}.`]).toSorted());
    });
  }

  it("have the name of the mistake", () => {
    const ids = ["wrong_iss", "wrong_aud", "signature"];
    assertEquals(foldFindings(ids.map((id) => found(id)), rules).map(({ title }) => title), [
      "Nothing is checked.",
    ]);
    assertEquals(foldFindings([found("wrong_aud")], rules)[0]?.title, "wrong_aud.");
  });

  it("explain what is as bad or less, and leave what is worse a finding of its own", () => {
    const shown = (...all: Finding[]) =>
      foldFindings(all, rules).map(({ id, grade, folded = [] }) =>
        [grade, id, ...folded.map((each) => each.id)].join(" ")
      );
    const wrong = found("wrong_aud", "D");
    assertEquals(shown(wrong, found("without_aud", "D")), ["D wrong_aud without_aud"]);
    assertEquals(shown(wrong, found("without_aud", "B")), ["D wrong_aud without_aud"]);
    assertEquals(shown(wrong, found("without_aud", "F")), ["F without_aud", "D wrong_aud"]);
    // One name for all would say too much of the first.
    assertEquals(shown(found("wrong_iss"), wrong), ["D wrong_aud", "C wrong_iss"]);
  });

  it("begin with the worst", () => {
    const all = [found("nonce", "B"), found("wrong_iss"), found("without_aud", "F")];
    assertEquals(foldFindings(all, []).map(({ id }) => id), ["without_aud", "wrong_iss", "nonce"]);
  });
});
