import { readFile } from "node:fs/promises";
import { isObject, parseJson } from "../../server/util/text/json.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A refusal that a log has: its facts by name. */
export type LoggedRefusal = Readonly<Record<string, string>>;

/** How many refusals are shown. */
const maxShown = 5;

/** A fact of a line of text: a word, or JSON in quotes. */
const fact = /(\w+)=("(?:[^"\\]|\\.)*"|\S*)/g;

/** Returns the last refusals in a log that a test accepts. */
export async function findRefusals(
  path: string,
  { readInput }: Pick<Terminal, "readInput">,
  accepts: (refusal: LoggedRefusal) => boolean,
): Promise<LoggedRefusal[]> {
  const text = path === "-" ? await readInput() : await readFile(path, "utf8");
  const refusals = text.split("\n").map(readRefusal).filter((each) => each !== undefined);
  return refusals.filter(accepts).slice(-maxShown);
}

/** Describes a refusal, in lines. */
export function describeRefusal(refusal: LoggedRefusal): string {
  const { time = "", rule, error, description = "", request, received, expected, fix } = refusal;
  const facts = { Request: request, Received: received, Expected: expected, "To fix it": fix };
  const lines = Object.entries(facts).flatMap(([name, value]) =>
    value ? [`  ${name.padEnd(12)}${value}`] : []
  );
  return [`${time} ${rule ?? error}: ${description}`, ...lines].map(printable).join("\n");
}

/** Reads a line of a log, or returns undefined if it is about something else. */
export function readRefusal(line: string): LoggedRefusal | undefined {
  if (!line.includes("request.refused")) return undefined;
  const json = line.startsWith("{") ? parseJson(line) : undefined;
  if (isObject(json)) {
    const texts = Object.entries(json).map(([name, value]) => [name, String(value)]);
    return json.event === "request.refused" ? Object.fromEntries(texts) : undefined;
  }
  const [time = "", , event] = line.split(/ +/, 3);
  if (event !== "request.refused") return undefined;
  const facts = [...line.matchAll(fact)].map(([, name, value = ""]) => [name, unquoted(value)]);
  return { ...Object.fromEntries(facts), time };
}

function unquoted(value: string): string {
  const text = value.startsWith('"') ? parseJson(value) : value;
  return typeof text === "string" ? text : value;
}
