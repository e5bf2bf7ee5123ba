/** @jsxImportSource preact */
import type { VNode } from "preact";
import {
  arrowTexts,
  type FlowArrow,
  type FlowStory,
  participantNames,
} from "../../flows/flow_story.ts";
import { type DiagramLayout, type DiagramRow, layoutDiagram } from "./diagram_layout.ts";

/** The props of the diagram. */
export interface SequenceDiagramProps {
  story: FlowStory;
  /** The arrow whose details are shown. */
  chosenStep: number | undefined;
  /** Returns the URL that chooses an arrow. */
  hrefOf: (arrow: FlowArrow) => string;
}

/** A flow as a sequence diagram. Every arrow is a link that shows its details. */
export function SequenceDiagram({ story, chosenStep, hrefOf }: SequenceDiagramProps): VNode {
  const layout = layoutDiagram(story);
  const { width, height, rows } = layout;
  return (
    <svg
      class="sequence"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="group"
      aria-label={`Sequence diagram of ${story.id}`}
    >
      <Lanes layout={layout} />
      {rows.map((row) => (
        <Row
          row={row}
          layout={layout}
          isChosen={row.arrow.step === chosenStep}
          href={hrefOf(row.arrow)}
        />
      ))}
    </svg>
  );
}

/** Says an arrow in words: "Client to Hallpass: POST /oauth2/token, authorization_code". */
function arrowText(arrow: FlowArrow): string {
  const { from, to, isInferred } = arrow;
  const parts = [...arrowTexts(arrow), ...isInferred ? ["not seen by the lab"] : []];
  return `${participantNames[from]} to ${participantNames[to]}: ${parts.join(", ")}`;
}

function Lanes({ layout: { lanes, height, headHeight } }: { layout: DiagramLayout }): VNode {
  return (
    <>
      {lanes.map(({ name, x }) => (
        <>
          <line class="lane" x1={x} x2={x} y1={headHeight} y2={height - headHeight} />
          <LaneHead name={name} x={x} y={1} height={headHeight - 2} />
          <LaneHead name={name} x={x} y={height - headHeight + 1} height={headHeight - 2} />
        </>
      ))}
    </>
  );
}

interface LaneHeadProps {
  name: string;
  x: number;
  y: number;
  height: number;
}

function LaneHead({ name, x, y, height }: LaneHeadProps): VNode {
  return (
    <>
      <rect class="lane-head" x={x - 52} y={y} width={104} height={height} rx={7} />
      <text class="lane-name" x={x} y={y + height / 2 + 4.5}>{name}</text>
    </>
  );
}

interface RowProps {
  row: DiagramRow;
  layout: DiagramLayout;
  isChosen: boolean;
  href: string;
}

function Row({ row, layout: { width, rowHeight }, isChosen, href }: RowProps): VNode {
  const { arrow, top, y, startX, endX, title, note, pause } = row;
  const middle = (startX + endX) / 2;
  return (
    <>
      {pause && <text class="pause" x={width / 2} y={top - 12}>{pause}</text>}
      <a
        class={classOf(arrow, isChosen)}
        id={`arrow-${arrow.step}`}
        href={href}
        data-swap
        aria-current={isChosen ? "step" : undefined}
      >
        <title>{`${arrow.step}. ${arrowText(arrow)}`}</title>
        <rect class="row" x={1} y={top} width={width - 2} height={rowHeight} rx={7} />
        <line class="shaft" x1={startX} x2={endX} y1={y} y2={y} />
        <polygon class="head" points={headPoints(startX, endX, y)} />
        {arrow.isFailed && <Cross x={endX > startX ? endX - 22 : endX + 22} y={y} />}
        <circle class="step" cx={startX} cy={y} r={9} />
        <text class="step-number" x={startX} y={y + 3.5}>{arrow.step}</text>
        <text class="title" x={middle} y={y - 7}>{title}</text>
        {note && <text class="note" x={middle} y={y + 15}>{note}</text>}
      </a>
    </>
  );
}

function Cross({ x, y }: { x: number; y: number }): VNode {
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

/** The tip touches the lane. */
function headPoints(startX: number, endX: number, y: number): string {
  const back = endX > startX ? endX - 10 : endX + 10;
  return `${endX},${y} ${back},${y - 5} ${back},${y + 5}`;
}
