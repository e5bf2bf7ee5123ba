/** @jsxImportSource preact */
import type { VNode } from "preact";
import {
  arrowTexts,
  describePause,
  type FlowArrow,
  type FlowStory,
  participantNames,
} from "../../flows/flow_story.ts";
import { type DiagramLayout, type DiagramRow, layoutDiagram } from "./diagram_layout.ts";

/** A flow to draw, and where its arrows lead. */
export interface FlowDiagram {
  story: FlowStory;
  /** The arrow whose details are shown. */
  chosenStep: number | undefined;
  /** Returns the URL that chooses an arrow. */
  hrefOf: (arrow: FlowArrow) => string;
  /** Whether an arrow leads to another page: this one has no details to swap. */
  isElsewhere?: boolean;
  /** Where the details are on a narrow page, which are below the list: "#step". */
  details?: string;
}

/**
 * A flow as a sequence diagram, and as a list where the page is too narrow for it. Every arrow is a
 * link that shows its details.
 */
export function flowDiagram(diagram: FlowDiagram): VNode {
  const layout = layoutDiagram(diagram.story);
  const { width, height, rows } = layout;
  return (
    <>
      <div class="diagram">
        <svg
          class="sequence"
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="group"
          aria-label={`Sequence diagram of ${diagram.story.id}`}
        >
          {lanesOf(layout)}
          {rows.map((row) => arrowOf(row, layout, diagram))}
        </svg>
      </div>
      {stepList(diagram)}
    </>
  );
}

/** Says an arrow in words: "Client to Hallpass: POST /oauth2/token, authorization_code". */
function arrowText(arrow: FlowArrow): string {
  const { from, to, isInferred } = arrow;
  const parts = [...arrowTexts(arrow), ...isInferred ? ["not seen by the lab"] : []];
  return `${participantNames[from]} to ${participantNames[to]}: ${parts.join(", ")}`;
}

function lanesOf({ lanes, height, headHeight }: DiagramLayout): VNode {
  return (
    <>
      {lanes.map(({ name, x }) => (
        <>
          <line class="lane" x1={x} x2={x} y1={headHeight} y2={height - headHeight} />
          {[1, height - headHeight + 1].map((y) => (
            <>
              <rect class="lane-head" x={x - 52} y={y} width={104} height={headHeight - 2} rx={7} />
              <text class="lane-name" x={x} y={y + headHeight / 2 + 3.5}>{name}</text>
            </>
          ))}
        </>
      ))}
    </>
  );
}

function arrowOf(
  row: DiagramRow,
  { width, rowHeight }: DiagramLayout,
  { chosenStep, hrefOf, isElsewhere }: FlowDiagram,
): VNode {
  const { arrow, top, y, startX, endX, title, note, pause } = row;
  const isChosen = arrow.step === chosenStep;
  const middle = (startX + endX) / 2;
  // The tip touches the lane.
  const back = endX > startX ? endX - 10 : endX + 10;
  const tip = `${endX},${y} ${back},${y - 5} ${back},${y + 5}`;
  return (
    <>
      {pause && <text class="pause" x={width / 2} y={top - 12}>{pause}</text>}
      <a
        class={classOf(arrow, isChosen)}
        id={`arrow-${arrow.step}`}
        href={hrefOf(arrow)}
        data-swap={!isElsewhere || undefined}
        aria-current={isChosen ? "step" : undefined}
      >
        <title>{`${arrow.step}. ${arrowText(arrow)}`}</title>
        <rect class="row" x={1} y={top} width={width - 2} height={rowHeight} rx={7} />
        <line class="shaft" x1={startX} x2={endX} y1={y} y2={y} />
        <polygon class="head" points={tip} />
        {arrow.isFailed && crossAt(endX > startX ? endX - 22 : endX + 22, y)}
        <circle class="step" cx={startX} cy={y} r={9} />
        <text class="step-number" x={startX} y={y + 3.5}>{arrow.step}</text>
        <text class="title" x={middle} y={y - 7}>{title}</text>
        {note && <text class="note" x={middle} y={y + 15}>{note}</text>}
      </a>
    </>
  );
}

function crossAt(x: number, y: number): VNode {
  const [left, right, top, bottom] = [x - 5, x + 5, y - 5, y + 5];
  return (
    <path
      class="cross"
      d={`M${left} ${top}L${right} ${bottom}M${left} ${bottom}L${right} ${top}`}
    />
  );
}

function classOf({ isFailed, isInferred, faults }: FlowArrow, isChosen: boolean): string {
  const classes = [
    "arrow",
    isFailed && "bad",
    isInferred && "inferred",
    faults.length > 0 && "faulty",
    isChosen && "chosen",
  ];
  return classes.filter(Boolean).join(" ");
}

function stepList({ story, chosenStep, hrefOf, isElsewhere, details = "" }: FlowDiagram): VNode {
  return (
    <ol class="steps">
      {story.arrows.map((arrow) => {
        const { step, from, to, title, note, isFailed, isInferred } = arrow;
        const pause = describePause(arrow.pause);
        return (
          <li class={isFailed ? "bad" : undefined}>
            {pause !== undefined && <p class="pause">{pause}</p>}
            <a
              href={hrefOf(arrow) + details}
              data-swap={!isElsewhere || undefined}
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
