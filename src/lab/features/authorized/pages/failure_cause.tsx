/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { FailedFlow } from "../../../client_role/callback_flow.ts";
import type { LabPageCall } from "../../../pages/page/lab_page.ts";
import { Section } from "../../../pages/parts/section.tsx";
import { Comparison } from "../../../pages/parts/tables.tsx";
import type { Refusal } from "../../../recording/refusal.ts";

/** Why an authorization failed, and what the client can do about it. */
export function failureCause({ base, isAlone }: LabPageCall, { path, refusal }: FailedFlow): VNode {
  return (
    <Section
      id="cause"
      title="Why it failed"
      actions={!isAlone && (
        <a id="flow" class="button secondary" href={`${base}/lab${path}`}>See what happened</a>
      )}
    >
      {refusal
        ? causeOf(refusal)
        : <p>The request was valid. It ended this way at the pages of the server.</p>}
    </Section>
  );
}

function causeOf({ hint, received, expected, fix }: Refusal): VNode {
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
