/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import type { FlowSource } from "../../flows/flow_source.ts";
import { type FlowStory, nameFlow } from "../../flows/flow_story.ts";
import { lineageIn, nameOfExchange } from "../../pages/flows/flow_view.ts";
import { lineageTree } from "../../pages/flows/lineage_tree.tsx";
import {
  type FlowDiagram,
  sequenceDiagram,
  stepList,
} from "../../pages/flows/sequence_diagram.tsx";
import { PageHead, Section } from "../../pages/parts/section.tsx";
import { OutcomeTag } from "../../pages/parts/tag.tsx";
import { savedStep, stepId } from "./saved_step.tsx";

/**
 * A whole flow on one page: its diagram, what was issued in it, and every step. It shows everything
 * at once, and no secret.
 */
export async function savedFlow(
  lab: CoreLab,
  source: FlowSource,
  story: FlowStory,
): Promise<VNode> {
  const hrefOf = (exchange: number) => `#${stepId(exchange)}`;
  const diagram: FlowDiagram = {
    story,
    chosenStep: undefined,
    hrefOf: ({ exchange }) => hrefOf(exchange),
  };
  const lineage = await lineageIn(lab, source.exchanges);
  const steps = source.exchanges.map(({ id }) => savedStep(lab, source, story, id));
  return (
    <div class="saved">
      {headOf(lab, story)}
      <Section title="What happened" id="diagram">
        <div class="diagram">{sequenceDiagram(diagram)}</div>
        {stepList(diagram)}
      </Section>
      {lineage.length > 0 && (
        <Section title="What was issued" id="lineage">
          {lineageTree(lineage, { hrefOf, nameOf: (exchange) => nameOfExchange(story, exchange) })}
        </Section>
      )}
      {await Promise.all(steps)}
    </div>
  );
}

function headOf({ issuer, clock }: CoreLab, story: FlowStory): VNode {
  const { outcome, startedAt } = story;
  return (
    <PageHead
      title={
        <>
          {nameFlow(story)} <OutcomeTag outcome={outcome} />
        </>
      }
    >
      At <code>{issuer}</code>, since {timeOf(startedAt)}; saved at{" "}
      {timeOf(clock.now())}. Secrets are left out.
    </PageHead>
  );
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace("T", " ");
}
