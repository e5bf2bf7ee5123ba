import { printable } from "../../server/util/text/printable.ts";
import type { Exchange } from "../recording/exchange.ts";
import type { FlowTrace } from "../recording/timeline.ts";
import { describeFlow, exchangesOfFlow } from "./describe_flow.ts";
import {
  arrowTexts,
  describePause,
  type FlowArrow,
  type FlowStory,
  type Participant,
  participantNames,
  shorten,
} from "./flow_story.ts";

/** The lane of the first participant, and the distance to the next one. */
const margin = 4;
const minGap = 20;
const maxGap = 48;

/** A message with more diagrams than this would bury what it says. */
const maxDiagrams = 3;

/** Where the lane of each participant is, in characters. */
type Lanes = ReadonlyMap<Participant, number>;

/** Draws a flow with characters, for a terminal or the message of a failed test. */
export function toTextDiagram(story: FlowStory): string {
  const { id, client, outcome, participants, arrows } = story;
  const lanes = lanesOf(story);
  const heads = participants.map((each): Piece => {
    const name = participantNames[each];
    return [Math.max(0, (lanes.get(each) ?? 0) - Math.floor(name.length / 2)), name];
  });
  const reasons = arrows.flatMap(({ title, reason }) =>
    reason === undefined ? [] : [`✗ ${title}: ${reason}`]
  );
  const lines = [
    [id, client, outcome.title].filter(Boolean).join(" · "),
    "",
    place(heads),
    emptyLine(lanes),
    ...arrows.flatMap((arrow) => [...pauseLines(arrow, lanes), arrowLine(arrow, lanes)]),
    emptyLine(lanes),
    ...reasons.length > 0 ? ["", ...reasons] : [],
  ];
  return lines.map((line) => printable(line).trimEnd()).join("\n");
}

/** The flows of a lab, and their requests. */
export interface RecordedFlows {
  issuer: string;
  exchanges: readonly Exchange[];
  flows: readonly FlowTrace[];
}

/** Draws the flows that some exchanges belong to, each once, for the message of a failed test. */
export function drawFlowsOf(ids: readonly number[], recorded: RecordedFlows): string {
  const found = recorded.flows.filter(({ steps }) =>
    steps.some(({ exchange }) => ids.includes(exchange))
  );
  const diagrams = found.slice(0, maxDiagrams).map((flow) => drawFlow(flow, recorded));
  const rest = found.length - diagrams.length;
  return [...diagrams, ...rest > 0 ? [`… and ${rest} more flows`] : []].join("\n\n");
}

/** Draws the newest flows, for a test that failed before it asked for anything. */
export function drawNewestFlows(recorded: RecordedFlows): string {
  const diagrams = recorded.flows.slice(-maxDiagrams).map((flow) => drawFlow(flow, recorded));
  return diagrams.join("\n\n") || "No authorization has begun.";
}

/** Draws the flow that an authorization URL began most recently, or returns undefined. */
export function drawFlowOfUrl(url: string, recorded: RecordedFlows): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { href } = new URL(url);
  const first = recorded.exchanges.findLast(({ request }) => request.url === href);
  const flow = recorded.flows.find(({ steps }) =>
    steps.some(({ exchange }) => exchange === first?.id)
  );
  return flow && drawFlow(flow, recorded);
}

function drawFlow(flow: FlowTrace, { exchanges, issuer }: RecordedFlows): string {
  return toTextDiagram(describeFlow(flow, exchangesOfFlow(flow, exchanges), issuer));
}

/** Makes room for the longest label between two lanes, within limits. */
function lanesOf({ participants, arrows }: FlowStory): Lanes {
  const positions: number[] = [margin];
  for (let at = 1; at < participants.length; at++) {
    const [left, right] = [participants[at - 1], participants[at]];
    const between = arrows.filter(({ from, to }) =>
      [from, to].every((end) => end === left || end === right)
    );
    const needed = Math.max(0, ...between.map((arrow) => arrowLabel(arrow).length + 8));
    const gap = Math.min(maxGap, Math.max(minGap, needed));
    positions.push((positions.at(-1) ?? margin) + gap);
  }
  return new Map(participants.map((each, at) => [each, positions[at] ?? margin]));
}

function arrowLine(arrow: FlowArrow, lanes: Lanes): string {
  const [one, other] = [lanes.get(arrow.from) ?? 0, lanes.get(arrow.to) ?? 0];
  const [left, right] = [Math.min(one, other), Math.max(one, other)];
  const others = [...lanes.values()].filter((lane) => lane < left || lane > right);
  return place([
    ...others.map((lane): Piece => [lane, "│"]),
    [left, `│${shaft(arrow, right - left - 1, one < other)}│`],
    ...arrow.isFailed ? [[right + 2, "✗"] as Piece] : [],
  ].toSorted(([a], [b]) => Number(a) - Number(b)) as Piece[]);
}

/** Draws the line of an arrow with its label in the middle. */
function shaft(arrow: FlowArrow, width: number, isToRight: boolean): string {
  const dash = arrow.isInferred ? "╌" : "─";
  const label = ` ${shorten(arrowLabel(arrow), width - 6)} `;
  const before = Math.floor((width - 1 - label.length) / 2);
  const after = width - 1 - label.length - before;
  const line = `${dash.repeat(before)}${label}${dash.repeat(after)}`;
  return isToRight ? `${line}>` : `<${line}`;
}

function arrowLabel(arrow: FlowArrow): string {
  return printable(arrowTexts(arrow).join(": "));
}

function pauseLines({ pause }: FlowArrow, lanes: Lanes): string[] {
  const text = describePause(pause);
  if (text === undefined) return [];
  const last = Math.max(...lanes.values());
  return [place([...[...lanes.values()].map((lane): Piece => [lane, "│"]), [
    last + 3,
    `… ${text}`,
  ]])];
}

/** A text, and the column where it begins. */
type Piece = readonly [column: number, text: string];

/** Puts texts at their columns; one that would overlap moves to the right. */
function place(pieces: readonly Piece[]): string {
  return pieces.reduce((line, [column, text]) => line.padEnd(column) + text, "");
}

function emptyLine(lanes: Lanes): string {
  return place([...lanes.values()].map((lane): Piece => [lane, "│"]));
}
