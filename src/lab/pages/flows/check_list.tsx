/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/duration.ts";
import type { FlowCheck } from "../../flows/flow_checks.ts";
import type { ReceivedAndExpected } from "../../recording/refusal.ts";
import { Comparison } from "../parts/tables.tsx";

/**
 * Lists the checks of the server or the client: first those that failed, with what was expected and
 * what came, then those that passed, in one line that opens. What the page shows above them, no check
 * repeats.
 */
export function checkList(
  checks: readonly FlowCheck[],
  by: FlowCheck["by"],
  above?: ReceivedAndExpected,
): VNode | null {
  const own = checks.filter((check) => check.by === by);
  if (own.length === 0) return null;
  const failed = own.filter(({ isPassed }) => !isPassed);
  const passed = own.filter(({ isPassed }) => isPassed);
  return (
    <>
      <h3>{by === "server" ? "What Hallpass checks" : "What the client has to check"}</h3>
      {failed.length > 0 && <ul class="checks">{failed.map((check) => checkItem(check, above))}
      </ul>}
      {passed.length > 0 && (
        <details class="passed">
          <summary>
            {by === "server"
              ? `${counted(passed.length, "check")} passed`
              : `${counted(passed.length, "value")} that the client must compare, and that match`}
          </summary>
          <ul class="checks">{passed.map((check) => checkItem(check, above))}</ul>
        </details>
      )}
    </>
  );
}

function checkItem(check: FlowCheck, above: ReceivedAndExpected | undefined): VNode {
  const { title, expected, received, isPassed, see } = check;
  return (
    <li class={isPassed ? "good" : "bad"}>
      <p class="check-title">
        <span class="visually-hidden">{isPassed ? "Passed: " : "Failed: "}</span>
        {title} <span class="see">{see}</span>
      </p>
      {isPassed && <span class="came-right">{passedText(check)}</span>}
      {!isPassed && !isSame(check, above) && <Comparison received={received} expected={expected} />}
    </li>
  );
}

function isSame(check: FlowCheck, above: ReceivedAndExpected | undefined): boolean {
  return check.received === above?.received && check.expected === above?.expected;
}

/** Names an expected value only if it differs from what came. */
function passedText({ expected, received }: FlowCheck): string | undefined {
  if (expected === undefined || received === undefined || expected === received) return received;
  return `${received} (expected: ${expected})`;
}
