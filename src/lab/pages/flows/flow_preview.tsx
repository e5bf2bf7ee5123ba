/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import { describeFlow } from "../../flows/describe_flow.ts";
import { requireFlowSource } from "../../flows/flow_source.ts";
import { type FlowStory, nameFlow } from "../../flows/flow_story.ts";
import { OutcomeTag } from "../parts/tag.tsx";
import { RefusalBox } from "./refusal_box.tsx";
import { sequenceDiagram, stepList } from "./sequence_diagram.tsx";

/** The flow that the reader chose, next to the list. Without a choice, there is an empty place. */
export function flowPreview(lab: CoreLab, path: string, query: URLSearchParams): VNode {
  const id = query.get("flow");
  const isKnown = id !== null && lab.flows().some((flow) => flow.id === id);
  if (!isKnown) return <div id="preview" data-live />;
  const source = requireFlowSource(lab, id);
  const story = describeFlow(source, source.exchanges, lab.issuer);
  const others = new URLSearchParams(query);
  others.delete("flow");
  return (
    <section class="panel" id="preview" data-live aria-label="The chosen flow">
      <div class="panel-head">
        <h2>
          <bdi>{nameFlow(story)}</bdi> <OutcomeTag outcome={story.outcome} />
        </h2>
        <div class="actions">
          <a class="button secondary small" href={`${path}/${id}`}>Open {id}</a>
          <a href={`${path}?${others}`} data-swap>Close</a>
        </div>
      </div>
      {previewOf(story, `${path}/${id}`, lab.context.settings.base)}
    </section>
  );
}

/** Why it was refused comes first, then what happened. Each step leads to the page of the flow. */
function previewOf(story: FlowStory, here: string, base: string): VNode {
  const { refusal } = story.outcome;
  const chosenStep = story.arrows.find(({ isFailed }) => isFailed)?.step;
  const diagram = {
    story,
    chosenStep,
    hrefOf: ({ step }: { step: number }) => `${here}?step=${step}`,
    isElsewhere: true,
  };
  return (
    <>
      {refusal && <RefusalBox refusal={refusal} base={base} />}
      <div class="diagram">{sequenceDiagram(diagram)}</div>
      {stepList(diagram)}
    </>
  );
}
