import { type FormParameters, parseParameters } from "../protocol/form_parameters.ts";
import { OAuthError } from "../protocol/oauth_error.ts";
import { type ApplyRule, applyRule, brokenRule, requirePresent } from "../protocol/rule.ts";
import { parseJson } from "../util/json.ts";
import { withTimeout } from "../util/promises.ts";
import { readBytes } from "../util/read_stream.ts";
import { decodeUtf8 } from "../util/utf8.ts";
import {
  bodyHasNoMark,
  bodyIsComplete,
  bodyIsForm,
  bodyIsInTime,
  bodyIsJson,
  bodyIsJsonType,
  bodyIsSmall,
  bodyIsUtf8,
  bodyTimeout,
  maxBodyLength,
} from "./body_rules.ts";

const utf8 = /^charset=(?:utf-8|"utf-8")$/;

const bodyText: unique symbol = Symbol.for("hallpass.body_text");
const bodyReader: unique symbol = Symbol.for("hallpass.body_reader");

type ReadBytes = () => Promise<BufferSource>;

/** Reads the bytes of a body. `read` reads them with the methods of the request. */
type BodyReader = (read: ReadBytes) => Promise<BufferSource>;

/** A request with the text of its body, once read, and its reader. */
interface RequestWithText extends Request {
  [bodyText]?: Promise<string>;
  [bodyReader]?: BodyReader;
}

/** Reads the parameters of the query string. */
export function readQuery(apply: ApplyRule, request: Request): FormParameters {
  return parseParameters(apply, new URL(request.url).search.slice(1));
}

/** Reads the parameters of a form (OAuth 2.1, section 3.2.2). */
export async function readForm(apply: ApplyRule, request: Request): Promise<FormParameters> {
  apply(bodyIsForm, mediaType(request));
  return parseParameters(apply, await readText(request));
}

/** Reads a JSON document. */
export async function readJson(apply: ApplyRule, request: Request): Promise<unknown> {
  apply(bodyIsJsonType, mediaType(request));
  const value = parseJson(await readText(request));
  apply(bodyIsJson, value);
  return value;
}

/** Returns the media type of a body without parameters, or "" if its charset is not UTF-8. */
export function mediaType(request: Request): string {
  const header = request.headers.get("Content-Type") ?? "";
  const [type = "", ...parameters] = header.toLowerCase().split(";").map((part) => part.trim());
  const charsets = parameters.filter((parameter) => parameter.startsWith("charset="));
  return charsets.every((charset) => utf8.test(charset)) ? type : "";
}

/** Reads a body of limited length as text. Can be called more than once per request. */
export function readText(request: RequestWithText): Promise<string> {
  return request[bodyText] ??= readLimited(request);
}

/** Adds a reader for the body of a request; it wraps the reader that was added before it. */
export function withBodyReader(request: RequestWithText, reader: BodyReader): Request {
  const before = request[bodyReader];
  request[bodyReader] = before ? (read) => reader(() => before(read)) : reader;
  return request;
}

/** Whether `readText` has started to read the body of a request. */
export function isTextRead(request: RequestWithText): boolean {
  return request[bodyText] !== undefined;
}

/** Creates the error for a body that takes too long. */
export function bodyTooSlow(): OAuthError {
  return brokenRule(bodyIsInTime, undefined);
}

/** The runtime enforces an announced length; without one, the bytes are counted here. */
async function readLimited(request: RequestWithText): Promise<string> {
  const announced = request.headers.get("Content-Length");
  if (Number(announced) > maxBodyLength) throw tooLarge();
  const read = announced === null
    ? () => readBytes(request.body, maxBodyLength, tooLarge)
    : () => request.arrayBuffer();
  return decodeBody(await readInTime(request[bodyReader]?.(read) ?? read()));
}

function decodeBody(bytes: BufferSource): string {
  const text = requirePresent(applyRule, bodyIsUtf8, decodeUtf8(bytes));
  applyRule(bodyHasNoMark, text);
  return text;
}

async function readInTime(body: Promise<BufferSource>): Promise<BufferSource> {
  try {
    return await withTimeout(bodyTimeout, body, bodyTooSlow);
  } catch (cause) {
    throw cause instanceof OAuthError ? cause : brokenRule(bodyIsComplete, { cause });
  }
}

function tooLarge(): OAuthError {
  return brokenRule(bodyIsSmall, undefined);
}
