import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  foldFindings,
  type FoldRule,
  unfoldFindings,
} from "../../../../src/lab/features/verdicts/fold.ts";
import { type Finding, type FindingClass, levelOf } from "../../../../src/lab/findings/finding.ts";

function found(id: string, kind: Exclude<FindingClass, "note"> = "rule"): Finding {
  return { id, title: `${id}.`, ...levelOf(kind), where: {} };
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

  it("are as bad as the worst that they explain, and the worst are first", () => {
    const all = [found("wrong_iss"), found("wrong_aud", "advice"), found("without_aud", "attack")];
    const [one, other] = foldFindings(all.slice(0, 2), rules);
    assertEquals([one?.kind, other], ["rule", undefined]);
    const [lead, ...rest] = foldFindings(all.slice(1), rules);
    assertEquals([lead?.id, lead?.kind, rest], ["wrong_aud", "attack", []]);
    assertEquals(unfoldFindings([lead as Finding]), all.slice(1));
    const apart = foldFindings(
      [found("nonce", "advice"), ...all.slice(0, 1), all[2] as Finding],
      [],
    );
    assertEquals(apart.map(({ id }) => id), ["without_aud", "wrong_iss", "nonce"]);
  });
});
