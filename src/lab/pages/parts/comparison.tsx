/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { ReceivedAndExpected } from "../../recording/refusal.ts";

/** What came and what was expected, below each other: each may be a long URL. */
export function Comparison({ received, expected }: ReceivedAndExpected): VNode | null {
  if (received === undefined && expected === undefined) return null;
  return (
    <dl class="comparison">
      {received !== undefined && <ComparedValue name="Received" value={received} />}
      {expected !== undefined && <ComparedValue name="Expected" value={expected} />}
    </dl>
  );
}

interface ComparedValueProps {
  name: "Received" | "Expected";
  value: string;
}

function ComparedValue({ name, value }: ComparedValueProps): VNode {
  return (
    <div class={name.toLowerCase()}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
