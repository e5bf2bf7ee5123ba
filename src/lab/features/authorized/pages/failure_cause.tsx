/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { FailedFlow } from "../../../client_role/failed_flow.ts";
import { Comparison } from "../../../pages/parts/comparison.tsx";
import { Section } from "../../../pages/parts/section.tsx";
import type { Refusal } from "../../../recording/refusal.ts";

interface FailureCauseProps {
  /** The path below which the lab lives. */
  base: string;
  failed: FailedFlow;
  /** Whether the pages of flows are at the same address. */
  hasFlowPages: boolean;
}

/** Why an authorization failed, and what the client can do about it. */
export function FailureCause({ base, failed, hasFlowPages }: FailureCauseProps): VNode {
  const { path, refusal } = failed;
  return (
    <Section
      id="cause"
      title="Why it failed"
      actions={hasFlowPages && (
        <a id="flow" class="button secondary" href={`${base}/lab${path}`}>See what happened</a>
      )}
    >
      {refusal
        ? <Cause {...refusal} />
        : <p>The request was valid. It ended this way at the pages of the server.</p>}
    </Section>
  );
}

function Cause({ hint, received, expected, fix }: Refusal): VNode {
  if (hint === undefined && fix === undefined) {
    return <p>This lab refused the request of the client.</p>;
  }
  return (
    <>
      <Comparison received={received} expected={expected} />
      {fix && <p>{fix}</p>}
    </>
  );
}
