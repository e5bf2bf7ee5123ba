import { readFile } from "node:fs/promises";
import { isObject, parseJson } from "../../server/util/text/json.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** What a line of a log has: its facts by name. */
export type LoggedEvent = Readonly<Record<string, string>>;

type EventName = "request.refused" | "token.issued";

/** How many refusals are shown. */
const maxShown = 5;

/** A fact of a line of text: a word, or JSON in quotes. */
const fact = /(\w+)=("(?:[^"\\]|\\.)*"|\S*)/g;

/** Reads a log, and returns a function that finds its last events of a name that a test accepts. */
export async function openLog(
  path: string,
  { readInput }: Pick<Terminal, "readInput">,
): Promise<(name: EventName, accepts: (event: LoggedEvent) => boolean) => LoggedEvent[]> {
  const lines = (path === "-" ? await readInput() : await readFile(path, "utf8")).split("\n");
  return (name, accepts) => {
    const events = lines.map((line) => readEvent(line, name)).filter((each) => each !== undefined);
    return events.filter(accepts).slice(-maxShown);
  };
}

export function formatRefusal(refusal: LoggedEvent): string {
  const { time = "", rule, error, description = "", request, received, expected, fix } = refusal;
  const facts = { Request: request, Received: received, Expected: expected, "To fix it": fix };
  const lines = Object.entries(facts).flatMap(([name, value]) =>
    value ? [`  ${name.padEnd(12)}${value}`] : []
  );
  return [`${time} ${rule ?? error}: ${description}`, ...lines].map(printable).join("\n");
}

/** Reads a line of a log, or returns undefined if it is about something else. */
export function readEvent(line: string, name: EventName): LoggedEvent | undefined {
  if (!line.includes(name)) return undefined;
  const json = line.startsWith("{") ? parseJson(line) : undefined;
  if (isObject(json)) {
    const texts = Object.entries(json).map(([fact, value]) => [fact, String(value)]);
    return json.event === name ? Object.fromEntries(texts) : undefined;
  }
  const [time = "", , event] = line.split(/ +/, 3);
  if (event !== name) return undefined;
  const facts = [...line.matchAll(fact)].map(([, key, value = ""]) => [key, unquoted(value)]);
  return { ...Object.fromEntries(facts), time };
}

function unquoted(value: string): string {
  const text = value.startsWith('"') ? parseJson(value) : value;
  return typeof text === "string" ? text : value;
}
