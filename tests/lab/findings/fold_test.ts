import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { type Finding, type FindingClass, levelOf } from "../../../src/lab/findings/finding.ts";
import { foldFindings, type FoldRule } from "../../../src/lab/findings/fold.ts";

function found(id: string, kind: Exclude<FindingClass, "note"> = "rule"): Finding {
  return { id, title: `${id}.`, ...levelOf(kind), where: {} };
}

const rules: readonly FoldRule[] = [
  { found: ["wrong_aud"], explains: ["without_aud"] },
  { found: ["signature"], explains: ["alg_none", "key_*"] },
  { found: ["wrong_iss", "wrong_aud"], title: "No claim is checked." },
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
    "wrong_iss: wrong_aud without_aud",
  ]],
  ["finds one mistake where nothing is checked", [
    ...["wrong_iss", "wrong_aud", "without_aud", "signature", "alg_none", "nonce"],
  ], ["signature: wrong_iss wrong_aud without_aud alg_none", "nonce"]],
];

describe("Findings of one mistake", () => {
  for (const [what, ids, remaining] of cases) {
    it(what, () => {
      const folded = foldFindings(ids.map((id) => found(id)), rules);
      const shown = folded.map(({ id, folded = [] }) =>
        [id, folded.map((each) => each.id).join(" ")].filter(Boolean).join(": ")
      );
      assertEquals(shown, remaining);
    });
  }

  it("have the name of the mistake", () => {
    const ids = ["wrong_iss", "wrong_aud", "signature"];
    assertEquals(foldFindings(ids.map((id) => found(id)), rules).map(({ title }) => title), [
      "Nothing is checked.",
    ]);
    assertEquals(foldFindings([found("wrong_aud")], rules)[0]?.title, "wrong_aud.");
  });

  it("never hide one that is worse than what would explain it", () => {
    const worse = [found("wrong_aud", "advice"), found("without_aud", "attack")];
    assertEquals(foldFindings(worse, rules), worse);
    const attack = [found("wrong_aud", "rule"), found("without_aud", "attack")];
    assertEquals(foldFindings(attack, rules), attack);
  });
});
