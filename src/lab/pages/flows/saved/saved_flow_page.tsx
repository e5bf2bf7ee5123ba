/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type FlowStory, nameFlow } from "../../../flows/flow_story.ts";
import { PageHead, Section } from "../../parts/section.tsx";
import { nameOfExchange } from "../flow_view.ts";
import { LineageTree } from "../lineage_tree.tsx";
import { OutcomeTag } from "../outcome_tag.tsx";
import { SequenceDiagram, type SequenceDiagramProps } from "../sequence_diagram.tsx";
import { StepList } from "../step_list.tsx";
import type { SavedFlow } from "./saved_flow.ts";
import { SavedStepSection, stepId } from "./saved_step.tsx";

/** A whole flow on one page: its diagram, what was issued in it, and every step. */
export function SavedFlowPage({ story, lineage, steps, issuer, savedAt }: SavedFlow): VNode {
  const diagram: SequenceDiagramProps = {
    story,
    chosenStep: undefined,
    hrefOf: ({ exchange }) => `#${stepId(exchange)}`,
  };
  const links = {
    hrefOf: (exchange: number) => `#${stepId(exchange)}`,
    nameOf: (exchange: number) => nameOfExchange(story, exchange),
  };
  return (
    <div class="saved">
      <Head story={story} issuer={issuer} savedAt={savedAt} />
      <Section title="What happened" id="diagram">
        <div class="diagram">
          <SequenceDiagram {...diagram} />
        </div>
        <StepList {...diagram} />
      </Section>
      {lineage.length > 0 && (
        <Section title="What was issued" id="lineage">
          <LineageTree nodes={lineage} links={links} />
        </Section>
      )}
      {steps.map((step) => <SavedStepSection step={step} />)}
    </div>
  );
}

type HeadProps = Pick<SavedFlow, "issuer" | "savedAt"> & { story: FlowStory };

function Head({ story, issuer, savedAt }: HeadProps) {
  const { user, outcome, startedAt } = story;
  return (
    <PageHead
      title={
        <>
          {nameFlow(story)} <OutcomeTag outcome={outcome} />
        </>
      }
    >
      At <code>{issuer}</code>
      {user !== undefined && (
        <>
          {" "}with <bdi>{user}</bdi>
        </>
      )}
      , since {timeOf(startedAt)}; saved at {timeOf(savedAt)}. Secrets are left out.
    </PageHead>
  );
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace("T", " ");
}
