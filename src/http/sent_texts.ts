import { decodeForm } from "../protocol/form_parameters.ts";
import { decodeBase64url } from "../util/base64url.ts";
import { isObject, parseJson } from "../util/json.ts";
import { decodeUtf8 } from "../util/utf8.ts";
import { textThatWasRead } from "./body.ts";

/** A JWT: its header, its claims, and its signature, which may be missing. */
const jwt = /^([\w-]+)\.([\w-]+)\.[\w-]*$/;

/** Every text in a request, as far as its body was read. */
export interface SentTexts {
  /** The names of parameters. */
  names: ReadonlySet<string>;
  /** The names and values, the words in them, and what is inside those that are JSON or a JWT. */
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

/** Returns a text, its words, and the names and values in it if it is JSON or a JWT. */
function textsIn(text: string): string[] {
  const documents = [text, ...partsOfJwt(text)].map(parseJson);
  return [text, ...text.split(/\s+/), ...documents.flatMap(textsInJson)];
}

/** Returns the header and the claims of a JWT: the parameters of a request may be in one. */
function partsOfJwt(text: string): string[] {
  const [, ...parts] = jwt.exec(text) ?? [];
  return parts.map((part) => decodeUtf8(decodeBase64url(part)) ?? "");
}

function textsInJson(value: unknown): string[] {
  if (typeof value === "string") return [value, ...value.split(/\s+/)];
  if (Array.isArray(value)) return value.flatMap(textsInJson);
  if (!isObject(value)) return [];
  const inside = Object.entries(value).flatMap(([name, member]) => [name, ...textsInJson(member)]);
  // An object in a JWT is a parameter in JSON.
  return [JSON.stringify(value), ...inside];
}
