import type { LabEvent } from "../../lab/recording/lab_event.ts";
import type { EventRequest, ServerEvent } from "../../server/config/events.ts";
import { isLogged, levelOf, type LogLevel } from "./event_level.ts";
import { describeRemedy } from "./remedy.ts";

/** The form of the log: lines for readers, JSON for programs, or nothing. */
export type LogForm = "text" | "json" | "off";

export const logForms: readonly LogForm[] = ["text", "json", "off"];

/** Formats an event as a line of the log, or returns undefined if it does not belong there. */
export type EventFormat = (
  event: ServerEvent | LabEvent,
  at: Date,
  request?: EventRequest,
) => string | undefined;

/** The longest value of a fact, in characters. */
const maxLength = 300;
/** A longer fix is left out: half a command is another one. The longest ids and URIs fit. */
const maxFixLength = 2000;

/** The time that was formatted last. */
let formatted = { time: NaN, text: "" };

export function createEventFormat(form: LogForm, from: LogLevel): EventFormat {
  if (form === "off") return () => undefined;
  const format = form === "json" ? formatAsJson : formatEvent;
  return (event, at, request) =>
    isLogged(levelOf(event), from) ? format(event, at, request) : undefined;
}

/** Formats an event as one line: the time, the level, the type, the facts and the request. */
export function formatEvent(
  event: ServerEvent | LabEvent,
  at: Date,
  request?: EventRequest,
): string {
  const { type, ...facts } = describeEvent(event, request);
  return formatLine(type, levelOf(event), { ...factsOf(request), ...facts }, at);
}

/** Formats an event as JSON, with the same members as the line of text has facts. */
export function formatAsJson(
  event: ServerEvent | LabEvent,
  at: Date,
  request?: EventRequest,
): string {
  const { type, ...facts } = describeEvent(event, request);
  const trace = request && { trace: request.trace.traceId };
  return toJson(type, levelOf(event), { ...factsOf(request), ...trace, ...facts }, at);
}

/** Formats what the program says besides its events as JSON, without shortening anything. */
export function formatNotice(
  type: string,
  level: LogLevel,
  facts: Readonly<Record<string, unknown>>,
  at: Date,
): string {
  return escapeUnprintable(JSON.stringify({ time: timeText(at), level, event: type, ...facts }));
}

/** Formats the line that replaces lines which could not be written in time. */
export function formatDropped(form: LogForm, lines: number, at: Date): string {
  return form === "json"
    ? toJson("log.dropped", "warn", { lines }, at)
    : formatLine("log.dropped", "warn", { lines }, at);
}

/**
 * Returns the facts of an event. The fix of a refusal is what an administrator can change to allow
 * the request, if there is that; else it is that of its rule.
 */
function describeEvent(event: ServerEvent | LabEvent, request: EventRequest | undefined) {
  if (event.type === "exchange.recorded") {
    const { refusal, ...others } = event;
    // A fault may have changed the error that the client got.
    return { ...others, ...refusal, error: others.error };
  }
  if (event.type !== "request.refused" || !event.remedy) return event;
  const { remedy, ...others } = event;
  const change = describeRemedy(remedy, request);
  return change && change.length <= maxFixLength ? { ...others, fix: change } : others;
}

/** Returns what a line says about its request. The trace is shown if it began elsewhere. */
function factsOf(request: EventRequest | undefined): Record<string, unknown> {
  if (!request) return {};
  const { id, trace, address, client, grantType, duration } = request;
  const { interaction, pushedRequest, device, backchannelRequest } = request;
  const { authorization, ownToken } = request;
  return {
    client,
    grantType,
    interaction,
    pushedRequest,
    device,
    backchannelRequest,
    authorization,
    ownToken,
    request: id,
    ...trace.parentId && { trace: trace.traceId },
    address,
    duration: Math.round(duration * 10) / 10,
  };
}

/** Formats a time. Under load, many lines have the same one. */
function timeText(at: Date): string {
  const time = at.getTime();
  if (formatted.time !== time) formatted = { time, text: at.toISOString() };
  return formatted.text;
}

function formatLine(
  type: string,
  level: LogLevel,
  facts: Record<string, unknown>,
  at: Date,
): string {
  let line = `${timeText(at)} ${level.padEnd(5)} ${type.padEnd(22)}`;
  for (const name in facts) {
    const value = facts[name];
    if (value !== undefined && value !== "") line += ` ${name}=${formatFact(name, value)}`;
  }
  return line;
}

function formatFact(name: string, value: unknown): string {
  if (typeof value === "number") return `${value}`;
  if (value instanceof Error) return quote(value.stack ?? value.message);
  if (Array.isArray(value)) return quote(value.join(" ").slice(0, maxLength));
  const text = shorten(name, String(value));
  return /^[\w.:/@+-]+$/.test(text) ? text : quote(text);
}

function toJson(type: string, level: LogLevel, facts: Record<string, unknown>, at: Date): string {
  return escapeUnprintable(
    JSON.stringify({ time: timeText(at), level, event: type, ...facts }, toMember),
  );
}

/** Shortens texts, and writes errors, which JSON would leave empty. */
function toMember(name: string, value: unknown): unknown {
  if (value instanceof Error) return value.stack ?? value.message;
  return typeof value === "string" ? shorten(name, value) : value;
}

function shorten(name: string, text: string): string {
  return name === "fix" ? text : text.slice(0, maxLength);
}

function quote(text: string): string {
  return escapeUnprintable(JSON.stringify(text));
}

/** Escapes everything but printable ASCII: text from outside must not control the terminal. */
function escapeUnprintable(json: string): string {
  return json.replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
