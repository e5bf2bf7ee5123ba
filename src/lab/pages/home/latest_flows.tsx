/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import { describeFlow, exchangesOfFlow } from "../../flows/describe_flow.ts";
import { nameFlow } from "../../flows/flow_story.ts";
import { OutcomeTag } from "../flows/outcome_tag.tsx";
import { Comparison } from "../parts/comparison.tsx";
import { Section } from "../parts/section.tsx";

const maxShown = 5;

/** The latest flows, the newest first, as they happen. */
export function latestFlows(lab: CoreLab, base: string): VNode {
  const exchanges = lab.exchanges();
  const flows = lab.flows().slice(-maxShown).reverse().map((flow) =>
    describeFlow(flow, exchangesOfFlow(flow, exchanges), lab.issuer)
  );
  return (
    <Section
      title="Latest flows"
      id="latest-flows"
      live
      actions={<a href={`${base}/lab/flows`}>All flows</a>}
    >
      {flows.length === 0 && <p class="help">No flows yet. They appear here as they happen.</p>}
      <ul class="entries">
        {flows.map(({ outcome, ...flow }) => (
          <li>
            <div>
              <a href={`${base}/lab/flows/${flow.id}`}>
                <bdi>{nameFlow(flow)}</bdi>
              </a>
            </div>
            <OutcomeTag outcome={outcome} />
            {outcome.refusal && (
              <div class="help">
                {outcome.refusal.description}
                <Comparison {...outcome.refusal} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
