/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { FlowCheck } from "../../flows/checks/flow_check.ts";

interface CheckListProps {
  checks: readonly FlowCheck[];
  /** Whose checks are shown. */
  by: FlowCheck["by"];
}

/** What was checked: one line for what holds, and what was expected and came for what does not. */
export function CheckList({ checks, by }: CheckListProps): VNode | null {
  const own = checks.filter((check) => check.by === by);
  if (own.length === 0) return null;
  const title = by === "server" ? "What Hallpass checks" : "What the client has to check";
  return (
    <>
      <h3>{title}</h3>
      <ul class="checks">{own.map((check) => <Check {...check} />)}</ul>
    </>
  );
}

function Check({ title, expected, came, isPassed, see }: FlowCheck): VNode {
  return (
    <li class={isPassed ? "good" : "bad"}>
      <p class="check-title">
        <span class="visually-hidden">{isPassed ? "Passed: " : "Failed: "}</span>
        {title} <span class="see">{see}</span>
      </p>
      {isPassed
        ? <span class="came-right">{passedText(expected, came)}</span>
        : <Comparison expected={expected} came={came} />}
    </li>
  );
}

/** What is as expected is said once. */
function passedText(expected: string, came: string): string {
  return expected === came ? came : `${came} (expected: ${expected})`;
}

function Comparison({ expected, came }: Pick<FlowCheck, "expected" | "came">): VNode {
  return (
    <dl class="comparison">
      <div>
        <dt>expected</dt>
        <dd>
          <code>{expected}</code>
        </dd>
      </div>
      <div class="came">
        <dt>came</dt>
        <dd>
          <code>{came}</code>
        </dd>
      </div>
    </dl>
  );
}
