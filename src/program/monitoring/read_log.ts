import { createReadStream } from "node:fs";
import { isObject, parseJson } from "../../server/util/text/json.ts";
import type { Option } from "../command_line/command.ts";
import { printable } from "../terminal/printable.ts";
import { linesIn } from "../terminal/streams.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A refusal that a log has: its facts by name. */
export type LoggedRefusal = Readonly<Record<string, string>>;

export const logFile: Option = {
  name: "log-file",
  valueName: "FILE",
  help: "the log of the server, in either format; - is standard input",
};

/** How many refusals are shown. */
const maxShown = 5;

/** A fact of a line of text: a word, or JSON in quotes. */
const fact = /(\w+)=("(?:[^"\\]|\\.)*"|\S*)/g;

/** Returns the last refusals in a log that a test accepts. */
export async function findRefusals(
  path: string,
  { inputLines }: Pick<Terminal, "inputLines">,
  accepts: (refusal: LoggedRefusal) => boolean,
): Promise<LoggedRefusal[]> {
  const lines = path === "-" ? inputLines() : linesIn(createReadStream(path));
  const found: LoggedRefusal[] = [];
  for await (const line of lines) {
    const refusal = readRefusal(line);
    if (refusal && accepts(refusal)) found.push(refusal);
    if (found.length > maxShown) found.shift();
  }
  return found;
}

/** Describes a refusal, in lines. */
export function describeRefusal(refusal: LoggedRefusal): string {
  const { time = "", rule, error, description = "", request, came, expected, fix } = refusal;
  const facts = { Request: request, Came: came, Expected: expected, "To fix it": fix };
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
