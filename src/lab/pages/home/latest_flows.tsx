/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import { describeFlow, exchangesOfFlow } from "../../flows/describe_flow.ts";
import type { FlowStory } from "../../flows/flow_story.ts";
import { OutcomeTag } from "../flows/outcome_tag.tsx";
import { Comparison } from "../parts/comparison.tsx";
import { Section } from "../parts/section.tsx";

const maxShown = 5;

/** Returns the latest flows of a lab, the newest first. */
export function latestFlows(lab: CoreLab): FlowStory[] {
  const exchanges = lab.exchanges();
  return lab.flows().slice(-maxShown).reverse().map((flow) =>
    describeFlow(flow, exchangesOfFlow(flow, exchanges), lab.issuer)
  );
}

interface LatestFlowsProps {
  base: string;
  flows: readonly FlowStory[];
}

/** The latest flows, as they happen. */
export function LatestFlows({ base, flows }: LatestFlowsProps): VNode {
  return (
    <Section
      title="Latest flows"
      id="latest-flows"
      live
      actions={<a href={`${base}/lab/flows`}>All flows</a>}
    >
      {flows.length === 0 && <p class="help">No flows yet. They appear here as they happen.</p>}
      <ul class="entries">
        {flows.map(({ id, client, user, outcome }) => (
          <li>
            <div>
              <a href={`${base}/lab/flows/${id}`}>{id}</a> <bdi>{client ?? "unknown client"}</bdi>
              {user !== undefined && (
                <>
                  {" · "}
                  <bdi>{user}</bdi>
                </>
              )}
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
