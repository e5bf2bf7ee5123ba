import type { ServerEvent } from "../config/events.ts";
import type { LabEvent } from "../lab/lab_event.ts";

/** One line for whoever watches: when, what, and the facts of it. */
export function formatEvent(event: ServerEvent | LabEvent, at: Date): string {
  const { type, ...facts } = event;
  return formatLine(type, facts, at);
}

/** The line in place of lines that were not read in time. */
export function formatDropped(lines: number, at: Date): string {
  return formatLine("log.dropped", { lines }, at);
}

function formatLine(type: string, facts: Record<string, unknown>, at: Date): string {
  const told = Object.entries(facts).filter(([, value]) => value !== undefined && value !== "");
  return [
    at.toISOString(),
    type.padEnd(22),
    ...told.map(([name, value]) => `${name}=${formatFact(value)}`),
  ].join(" ");
}

const maxLength = 300;

function formatFact(value: unknown): string {
  if (value instanceof Error) return quote(value.stack ?? value.message);
  if (Array.isArray(value)) return quote(value.join(" ").slice(0, maxLength));
  const text = String(value).slice(0, maxLength);
  return /^[\w.:/@+-]+$/.test(text) ? text : quote(text);
}

/** A log goes to a terminal: nothing that a stranger sent may move its cursor or change its colours. */
function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
