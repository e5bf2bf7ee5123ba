import {
  arrowTexts,
  describePause,
  type FlowArrow,
  type FlowStory,
  participantNames,
} from "./flow_story.ts";

/** Draws a flow in the language of Mermaid, as GitHub and many wikis show it. */
export function toMermaid({ participants, arrows }: FlowStory): string {
  const lines = [
    "sequenceDiagram",
    ...participants.map((each) => `  participant ${each} as ${participantNames[each]}`),
    ...arrows.flatMap((arrow) => [...pauseLines(arrow, participants), arrowLine(arrow)]),
  ];
  return `${lines.join("\n")}\n`;
}

function pauseLines(
  { pause }: FlowArrow,
  participants: FlowStory["participants"],
): string[] {
  const text = describePause(pause);
  if (text === undefined) return [];
  const ends = [...new Set([participants[0], participants.at(-1)])].join(",");
  return [`  Note over ${ends}: ${text}`];
}

function arrowLine(arrow: FlowArrow): string {
  const text = arrowTexts(arrow).map(escapeText).join("<br/>");
  return `  ${arrow.from}${lineOf(arrow)}${arrow.to}: ${text}`;
}

function lineOf({ isInferred, isFailed }: FlowArrow): string {
  const end = isFailed ? "x" : ">>";
  return isInferred ? `--${end}` : `-${end}`;
}

/** Escapes what would end a line, or begin an entity or a tag. */
function escapeText(text: string): string {
  return text.replace(/[#;<>]/g, (mark) => `#${mark.charCodeAt(0)};`)
    .replace(/[\p{Cc}\s]+/gu, " ");
}
