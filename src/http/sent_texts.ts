import { decodeForm } from "../protocol/form_parameters.ts";
import { isObject, parseJson } from "../util/json.ts";
import { textThatWasRead } from "./body.ts";

/** Every text in a request, as far as its body was read. */
export interface SentTexts {
  /** The names of parameters. */
  names: ReadonlySet<string>;
  /** The names and values, the words in them, and what is inside those that are JSON. */
  values: ReadonlySet<string>;
}

/** Returns every text that a request sent in its query or body. */
export async function sentTexts(request: Request): Promise<SentTexts> {
  const [, query = ""] = /\?([^#]*)/.exec(request.url) ?? [];
  const body = await textThatWasRead(request);
  const pairs = `${query}&${body}`.split("&").map((pair) => pair.split("="));
  const names = pairs.map(([name = ""]) => decoded(name));
  const values = pairs.flat().map(decoded);
  return { names: new Set(names), values: new Set([...values, body].flatMap(textsIn)) };
}

function decoded(text: string): string {
  return decodeForm(text) ?? text;
}

/** Returns a text, its words, and the names and values in it if it is JSON. */
function textsIn(text: string): string[] {
  return [text, ...text.split(/\s+/), ...textsInJson(parseJson(text))];
}

function textsInJson(value: unknown): string[] {
  if (typeof value === "string") return [value, ...value.split(/\s+/)];
  if (Array.isArray(value)) return value.flatMap(textsInJson);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsInJson(member)]);
}
