import {
  type ObservedTraffic,
  outcomeOf,
  unmetReason,
} from "../../../../lab/features/drill/variants/drill_outcome.ts";
import type { DrillVariant } from "../../../../lab/features/drill/variants/variants.ts";
import type { VetOutcome } from "../result/vet_result.ts";
import type { SuiteRun } from "./suite_runner.ts";
import type { Traffic } from "./traffic.ts";

/** A run under a variant, as the suite and the lab saw it. */
export interface WatchedRun {
  run: SuiteRun;
  traffic: Traffic;
  /** How often the fault of the variant fired. */
  fired: number;
}

type ShownOutcome = Pick<VetOutcome, "outcome" | "reason">;

/**
 * Returns what a run under a variant shows.
 *
 * A failed run shows that a test notices the variant. If all tests pass, the traffic shows what the
 * client made of it: a client that takes each step as often as without a fault (redeems as many
 * codes, uses as many tokens) has accepted the variant. One that takes a step less often has
 * refused it, and so has one that signs in again after a refresh. A client that has no step left to
 * take, because the suite calls nothing with the token, counts as one that accepted: it would be a
 * strange test that passes after a failed login.
 * The drill decides whether that is right, and what requests and responses to logout tokens show.
 */
export function findOutcome(
  variant: DrillVariant,
  watched: WatchedRun,
  plainSteps: Traffic["steps"],
): VetOutcome {
  const { milliseconds } = watched.run;
  return { ...variant, ...shownBy(variant, watched, plainSteps), milliseconds };
}

function shownBy(
  variant: DrillVariant,
  { run, traffic, fired }: WatchedRun,
  plainSteps: Traffic["steps"],
): ShownOutcome {
  if (fired === 0) return run.passed ? unmet : unstable;
  if (!run.passed) return { outcome: "noticed", reason: failureOf(run) };
  const refusal = stoppedAt(traffic.steps, plainSteps) ??
    (variant.after === "refresh" ? signedInAgain(traffic.steps, plainSteps) : undefined);
  const observed = {
    ...observedIn(traffic),
    fired,
    succeeded: refusal === undefined,
    verifies: traffic.revealing.some(({ endpoint }) => endpoint === "jwks"),
    visited: false,
  };
  switch (outcomeOf(variant, observed)) {
    case "unmet":
      return { outcome: "unmet", reason: unmetReason(variant, observed) };
    case "accepted":
    case "tolerated":
      return accepted;
    case "refused":
    case "wrongly_refused":
      return {
        outcome: "refused",
        reason: `All tests passed, but the client ${refusal ?? "did not accept it"}.`,
      };
  }
}

function observedIn({ steps, revealing, logoutStatuses }: Traffic): ObservedTraffic {
  return {
    usesToken: steps.userinfo !== undefined,
    requests: revealing,
    logoutStatuses,
  };
}

const unmet: ShownOutcome = {
  outcome: "unmet",
  reason: "The suite met the variant in its first run, but not in this one.",
};
const unstable: ShownOutcome = {
  outcome: "unstable",
  reason: "A test failed before the lab changed any response.",
};
const accepted: ShownOutcome = {
  outcome: "accepted",
  reason: "All tests passed, and the client went on as it always does.",
};

function failureOf({ ended }: SuiteRun): string {
  if (ended === "timeout") return "The suite did not end in time.";
  return ended === "killed" ? "The suite was ended by a signal." : "A test failed.";
}

/** Returns where a client stopped: at a step that it took less often than without a fault. */
function stoppedAt(steps: Traffic["steps"], plainSteps: Traffic["steps"]): string | undefined {
  const found = Object.entries(plainSteps)
    .find(([step, times]) => (steps[step] ?? 0) < times);
  if (!found) return undefined;
  const [step, times] = found;
  return `stopped: '${step}' ${steps[step] ?? 0} instead of ${times} times`;
}

/**
 * A client that refuses a refresh may sign its user in again, which no fault of a refresh changes.
 */
function signedInAgain(steps: Traffic["steps"], plainSteps: Traffic["steps"]): string | undefined {
  const isMore = Object.entries(steps).some(([step, times]) =>
    isLogin(step) && times > (plainSteps[step] ?? 0)
  );
  return isMore ? "did not go on with the refreshed session: it signed in again" : undefined;
}

function isLogin(step: string): boolean {
  return step.startsWith("token ") && step !== "token refresh_token";
}
