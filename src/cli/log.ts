import type { ServerEvent } from "../config/events.ts";
import type { LabEvent } from "../lab/lab_event.ts";

/** The longest value of a fact, in characters. */
const maxLength = 300;

/** Formats an event as one line: the time, the type and the facts. */
export function formatEvent(event: ServerEvent | LabEvent, at: Date): string {
  const { type, ...facts } = event;
  return formatLine(type, facts, at);
}

/** Formats the line that replaces lines which could not be written in time. */
export function formatDropped(lines: number, at: Date): string {
  return formatLine("log.dropped", { lines }, at);
}

function formatLine(type: string, facts: Record<string, unknown>, at: Date): string {
  const present = Object.entries(facts).filter(([, value]) => value !== undefined && value !== "");
  return [
    at.toISOString(),
    type.padEnd(22),
    ...present.map(([name, value]) => `${name}=${formatFact(value)}`),
  ].join(" ");
}

function formatFact(value: unknown): string {
  if (value instanceof Error) return quote(value.stack ?? value.message);
  if (Array.isArray(value)) return quote(value.join(" ").slice(0, maxLength));
  const text = String(value).slice(0, maxLength);
  return /^[\w.:/@+-]+$/.test(text) ? text : quote(text);
}

/** Escapes everything but printable ASCII: text from outside must not control the terminal. */
function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
