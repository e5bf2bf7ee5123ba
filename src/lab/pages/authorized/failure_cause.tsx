/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { FailedFlow } from "../../client_role/failed_flow.ts";
import type { Refusal } from "../../recording/refusal.ts";
import { Section } from "../parts/section.tsx";

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
      {causesOf(refusal).map((sentence) => <p>{sentence}</p>)}
    </Section>
  );
}

function causesOf(refusal: Refusal | undefined): string[] {
  if (!refusal) return ["The request was valid. It ended this way at the pages of the server."];
  const causes = [refusal.hint, refusal.fix].filter((each) => each !== undefined);
  return causes.length > 0 ? causes : ["This lab refused the request of the client."];
}
