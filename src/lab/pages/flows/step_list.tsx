/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type FlowArrow, participantNames } from "../../flows/flow_story.ts";
import { describePause } from "../../flows/pause.ts";
import type { SequenceDiagramProps } from "./sequence_diagram.tsx";

/** The same arrows as a list, for a screen that is too narrow for the diagram. */
export function StepList({ story, chosenStep, hrefOf }: SequenceDiagramProps): VNode {
  return (
    <ol class="steps">
      {story.arrows.map((arrow) => (
        <li class={arrow.isFailed ? "bad" : undefined}>
          <Pause of={arrow} />
          <a
            href={hrefOf(arrow)}
            data-swap
            aria-current={arrow.step === chosenStep ? "step" : undefined}
          >
            <StepText arrow={arrow} />
          </a>
        </li>
      ))}
    </ol>
  );
}

function StepText({ arrow: { from, to, title, note, isInferred } }: { arrow: FlowArrow }): VNode {
  return (
    <>
      <span class="title">{title}</span>
      <span class="note">
        {participantNames[from]} → {participantNames[to]}
        {isInferred && " (not seen)"}
        {note && `: ${note}`}
      </span>
    </>
  );
}

function Pause({ of: { pause } }: { of: FlowArrow }): VNode | null {
  const text = describePause(pause);
  return text === undefined ? null : <p class="pause">{text}</p>;
}
