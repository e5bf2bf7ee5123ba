import type { Event } from "../issuer/events.ts";

/** One line for whoever watches: when, what, and the facts of it. */
export function formatEvent(event: Event, at: Date): string {
  const { type, ...facts } = event;
  const told = Object.entries(facts).filter(([, value]) => value !== undefined && value !== "");
  return [at.toISOString(), type.padEnd(22), ...told.map(([name, value]) => `${name}=${formatFact(value)}`)].join(" ");
}

function formatFact(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(value.stack ?? value.message);
  if (Array.isArray(value)) return JSON.stringify(value.join(" "));
  const text = String(value);
  return /^[\w.:/@+-]+$/.test(text) ? text : JSON.stringify(text);
}
