import type { FindingGrade } from "../../../findings/grade.ts";
import type { RowVerdict } from "../../verdicts/conclude.ts";
import { type DrillRow, type DrillVariant, type RowAttempt, variantOf } from "./drill_variant.ts";

/** How an application handled one variant. */
export interface DrillOutcome extends DrillVariant {
  /**
   * - `accepted`: the application accepted what it must refuse.
   * - `refused`: it refused what it must, or may, refuse.
   * - `tolerated`: it accepted what it must, or may, accept.
   * - `wrongly_refused`: it refused what it must accept.
   * - `unmet`: the fault never fired, or the application cannot notice it.
   */
  outcome: "accepted" | "refused" | "tolerated" | "wrongly_refused" | "unmet";
  /**
   * How the login ended, in one sentence, if it failed; why the variant tested nothing, if it is
   * unmet.
   */
  reason?: string | undefined;
  /** The id of the flow in the lab: `"flow-1"`. */
  flow?: string | undefined;
  /** The flow of the same steps without the fault, which succeeded. */
  control?: string | undefined;
  /** The mistake in a few words, where it is not what the variant is about. */
  mistake?: string | undefined;
  /** Whether another drill may show more: it was too slow, or what it needs failed by itself. */
  undecided?: boolean | undefined;
  /** How bad it is, if it is a finding. */
  grade?: FindingGrade | undefined;
}

/** Returns what became of a row, as results say it. */
export function describeOutcome(row: DrillRow, verdict: RowVerdict<RowAttempt>): DrillOutcome {
  const { seen, state, control } = verdict;
  const { login, received, failsAnyway, rule, did, mistake } = seen;
  const outcome = state === "not tested" ? "unmet" : outcomeOf(row, did);
  const end = failsAnyway ? undefined : describeEnd(outcome, login.reason);
  return {
    ...variantOf(row),
    ...rule && { rule },
    outcome,
    reason: [verdict.reason ?? received, end].filter(Boolean).join(" ") || undefined,
    flow: login.flow,
    ...verdict.isUndecided && { undecided: true },
    ...control !== undefined && { control },
    ...mistake !== undefined && { mistake },
  };
}

function outcomeOf(
  { expectation }: DrillRow,
  did: RowAttempt["did"],
): DrillOutcome["outcome"] {
  if (did === "accepted") return expectation === "refuse" ? "accepted" : "tolerated";
  return expectation === "accept" ? "wrongly_refused" : "refused";
}

/** A login that fails in the end is no contradiction: its requests had shown what it accepted. */
function describeEnd(
  outcome: DrillOutcome["outcome"],
  reason: string | undefined,
): string | undefined {
  const failedLater = reason !== undefined && outcome === "accepted";
  return failedLater ? `a login that went on, and failed later: ${reason}` : reason;
}
