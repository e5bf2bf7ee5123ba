import {
  arrowNotes,
  describePause,
  type FlowArrow,
  type FlowStory,
  type Participant,
  participantNames,
  shorten,
} from "../../flows/flow_story.ts";

/** Sizes of the drawing, in its own units. */
const laneGap = 250;
const sideMargin = 70;
const headHeight = 30;
const rowHeight = 50;
const pauseHeight = 30;
/** How far the text keeps from the lanes, and how wide a character is on average. */
const textMargin = 30;
const titleCharacter = 6.7;
const noteCharacter = 5.7;

/** The vertical line of a participant. */
export interface DiagramLane {
  name: string;
  x: number;
}

/** An arrow with its place. */
export interface DiagramRow {
  arrow: FlowArrow;
  /** The top of the row, and the height of the line in it. */
  top: number;
  y: number;
  startX: number;
  endX: number;
  /** The texts above and below the line, shortened to its length. */
  title: string;
  note: string | undefined;
  /** The text above the row, if time passed before it. */
  pause: string | undefined;
}

/** Where everything in a sequence diagram is. */
export type DiagramLayout = ReturnType<typeof layoutDiagram>;

/** Lays out the sequence diagram of a flow. */
export function layoutDiagram({ participants, arrows }: FlowStory) {
  const laneX = new Map(participants.map((each, at) => [each, sideMargin + at * laneGap]));
  const rows: DiagramRow[] = [];
  let top = headHeight + 14;
  for (const arrow of arrows) {
    const pause = describePause(arrow.pause);
    if (pause !== undefined) top += pauseHeight;
    rows.push(rowOf(arrow, laneX, top, pause));
    top += rowHeight;
  }
  return {
    width: sideMargin * 2 + Math.max(1, participants.length - 1) * laneGap,
    height: top + headHeight + 14,
    lanes: participants.map((each) => ({ name: participantNames[each], x: laneX.get(each) ?? 0 })),
    rows,
    headHeight,
    rowHeight,
  };
}

function rowOf(
  arrow: FlowArrow,
  laneX: ReadonlyMap<Participant, number>,
  top: number,
  pause: string | undefined,
): DiagramRow {
  const [startX, endX] = [laneX.get(arrow.from) ?? 0, laneX.get(arrow.to) ?? 0];
  const room = Math.abs(endX - startX) - textMargin;
  const note = arrowNotes(arrow).join(" · ");
  return {
    arrow,
    top,
    y: top + 26,
    startX,
    endX,
    title: shorten(arrow.title, Math.max(4, room / titleCharacter)),
    note: note === "" ? undefined : shorten(note, Math.max(4, room / noteCharacter)),
    pause,
  };
}
