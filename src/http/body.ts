import { type FormParameters, parseParameters } from "../protocol/form_parameters.ts";
import { OAuthError } from "../protocol/oauth_error.ts";
import {
  type ApplyRule,
  applyRule,
  brokenRule,
  requirePresent,
  type Rule,
} from "../protocol/rule.ts";
import { parseJson } from "../util/json.ts";
import { withTimeout } from "../util/promises.ts";
import { readBytes } from "../util/read_stream.ts";
import { decodeUtf8 } from "../util/utf8.ts";

const kilobyte = 1024;
const maxBodyLength = 64 * kilobyte;

/** How long a body may take, in milliseconds. A slow one would occupy its connection forever. */
const bodyTimeout = 15 * 1000;

/** A byte order mark would become part of the first name, or silently disappear. */
const byteOrderMark = "\ufeff";

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

const about = { see: "RFC 9110, section 8", error: "invalid_request" } as const;

const bodyIsForm: Rule<string> = {
  ...about,
  id: "body.form",
  title: "The body is a form",
  see: "OAuth 2.1, section 3.2.2",
  parameter: "Content-Type",
  message: "The body must be application/x-www-form-urlencoded.",
  advice: "Send the header 'Content-Type: application/x-www-form-urlencoded'.",
  holds: (type) => type === "application/x-www-form-urlencoded",
  expected: () => "application/x-www-form-urlencoded",
  came: (type) => type || "no media type, or a charset other than UTF-8",
};

const bodyIsJsonType: Rule<string> = {
  ...about,
  id: "body.json_type",
  title: "The body is declared as JSON",
  parameter: "Content-Type",
  message: "The body must be application/json.",
  advice: "Send the header 'Content-Type: application/json'.",
  holds: (type) => type === "application/json",
  expected: () => "application/json",
  came: (type) => type || "no media type, or a charset other than UTF-8",
};

const bodyIsJson: Rule<unknown> = {
  ...about,
  id: "body.json",
  title: "The body is JSON",
  message: "The body is not JSON.",
  advice: "Send a single JSON document.",
  holds: (value) => value !== undefined,
};

const bodyIsUtf8: Rule<string | undefined> = {
  ...about,
  id: "body.utf8",
  title: "The body is UTF-8",
  message: "The body is not valid UTF-8.",
  advice: "Encode the body as UTF-8.",
  holds: (text) => text !== undefined,
};

const bodyHasNoMark: Rule<string> = {
  ...about,
  id: "body.mark",
  title: "The body has no byte order mark",
  message: "The body must be UTF-8 without a byte order mark.",
  advice: "Send the body without a byte order mark.",
  holds: (text) => !text.startsWith(byteOrderMark),
};

const bodyIsComplete: Rule<{ cause?: unknown }> = {
  ...about,
  id: "body.complete",
  title: "The body is complete",
  message: "The body could not be read completely.",
  details: ({ cause }) => ({ cause }),
  advice: "Send exactly as many bytes as the Content-Length declares.",
  holds: ({ cause }) => cause === undefined,
};

const bodyIsInTime: Rule<void> = {
  ...about,
  id: "body.time",
  title: `The body arrives within ${bodyTimeout / 1000} seconds`,
  message: "The body did not arrive in time.",
  details: { status: 408, headers: { Connection: "close" } },
  advice: "Send the whole body without a pause.",
  holds: () => false,
};

/** On Node a half-read body would block the next request, so the connection is closed. */
const bodyIsSmall: Rule<void> = {
  ...about,
  id: "body.size",
  title: `The body has at most ${maxBodyLength / kilobyte} kB`,
  message: `The body is larger than ${maxBodyLength / kilobyte} kB.`,
  details: { status: 413, headers: { Connection: "close" } },
  advice: "Send a smaller body.",
  holds: () => false,
};

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
