/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import { describeFlow } from "../../flows/describe_flow.ts";
import { requireFlowSource } from "../../flows/flow_source.ts";
import { nameFlow } from "../../flows/flow_story.ts";
import { OutcomeTag } from "../parts/tag.tsx";
import { RefusalBox } from "./refusal_box.tsx";
import { flowDiagram } from "./sequence_diagram.tsx";

/**
 * The flow that the reader chose, next to the list. Without a choice, there is an empty place. Each
 * step leads to the page of the flow.
 */
export function flowPreview(lab: CoreLab, path: string, query: URLSearchParams): VNode {
  const id = query.get("flow");
  const isKnown = id !== null && lab.flows().some((flow) => flow.id === id);
  if (!isKnown) return <div id="preview" data-live />;
  const source = requireFlowSource(lab, id);
  const story = describeFlow(source, source.exchanges, lab.issuer);
  const { refusal } = story.outcome;
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
      {/* Why it was refused comes first, then what happened. */}
      {refusal && <RefusalBox refusal={refusal} base={lab.context.settings.base} />}
      {flowDiagram({
        story,
        chosenStep: story.arrows.find(({ isFailed }) => isFailed)?.step,
        hrefOf: ({ step }) => `${path}/${id}?step=${step}`,
        isElsewhere: true,
      })}
    </section>
  );
}
