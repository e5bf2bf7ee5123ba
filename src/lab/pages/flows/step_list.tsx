/** @jsxImportSource preact */
import type { VNode } from "preact";
import { participantNames } from "../../flows/flow_story.ts";
import { describePause } from "../../flows/pause.ts";
import type { FlowDiagram } from "./sequence_diagram.tsx";

/** The same arrows as a list, for a screen that is too narrow for the diagram. */
export function stepList({ story, chosenStep, hrefOf }: FlowDiagram): VNode {
  return (
    <ol class="steps">
      {story.arrows.map((arrow) => {
        const { step, from, to, title, note, isFailed, isInferred } = arrow;
        const pause = describePause(arrow.pause);
        return (
          <li class={isFailed ? "bad" : undefined}>
            {pause !== undefined && <p class="pause">{pause}</p>}
            <a
              href={hrefOf(arrow)}
              data-swap
              aria-current={step === chosenStep ? "step" : undefined}
            >
              <span class="title">{title}</span>
              <span class="note">
                {participantNames[from]} → {participantNames[to]}
                {isInferred && " (not seen)"}
                {note && `: ${note}`}
              </span>
            </a>
          </li>
        );
      })}
    </ol>
  );
}
