/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { FlowCheck } from "../../flows/checks/flow_check.ts";
import type { ReceivedAndExpected } from "../../recording/refusal.ts";
import { Comparison } from "../parts/comparison.tsx";

/** A longer list of passed checks is folded. */
const maxUnfolded = 5;

interface ChecksProps {
  checks: readonly FlowCheck[];
  /** What the page shows above the checks, and no check repeats. */
  refusal?: ReceivedAndExpected | undefined;
}

interface CheckListProps extends ChecksProps {
  /** Whose checks are shown. */
  by: FlowCheck["by"];
}

/**
 * Lists the checks: first those that failed, with what was expected and what came, then those that
 * passed, one line each. A long list of passed checks is folded.
 */
export function CheckList({ checks, refusal, by }: CheckListProps): VNode | null {
  const own = checks.filter((check) => check.by === by);
  if (own.length === 0) return null;
  const isServer = by === "server";
  const title = isServer ? "What Hallpass checks" : "What the client has to check";
  const failed = own.filter(({ isPassed }) => !isPassed);
  const passed = own.filter(({ isPassed }) => isPassed);
  return (
    <>
      <h3>{title}</h3>
      {!isServer && failed.length === 0 && (
        <p class="help">
          These values are right. Whether your application compares them, a drill shows.
        </p>
      )}
      {failed.length > 0 && <Checks checks={failed} refusal={refusal} />}
      {passed.length > maxUnfolded ? <FoldedChecks checks={passed} /> : <Checks checks={passed} />}
    </>
  );
}

function Checks({ checks, refusal }: ChecksProps): VNode {
  return (
    <ul class="checks">
      {checks.map((check) => <Check {...check} isShown={isSame(check, refusal)} />)}
    </ul>
  );
}

function FoldedChecks({ checks }: ChecksProps): VNode {
  return (
    <details class="passed">
      <summary>{checks.length} checks passed</summary>
      <Checks checks={checks} />
    </details>
  );
}

interface CheckProps extends FlowCheck {
  /** Whether the page already shows what came and what was expected. */
  isShown: boolean;
}

function Check({ title, expected, came, isPassed, isShown, see }: CheckProps): VNode {
  return (
    <li class={isPassed ? "good" : "bad"}>
      <p class="check-title">
        <span class="visually-hidden">{isPassed ? "Passed: " : "Failed: "}</span>
        {title} <span class="see">{see}</span>
      </p>
      {isPassed && <span class="came-right">{passedText({ expected, came })}</span>}
      {!isPassed && !isShown && <Comparison received={came} expected={expected} />}
    </li>
  );
}

function isSame({ came, expected }: FlowCheck, refusal: ReceivedAndExpected | undefined): boolean {
  return came === refusal?.received && expected === refusal?.expected;
}

/** Names an expected value only if it differs from what came. */
function passedText({ expected, came }: Pick<FlowCheck, "expected" | "came">): string | undefined {
  if (expected === undefined || came === undefined || expected === came) return came;
  return `${came} (expected: ${expected})`;
}
