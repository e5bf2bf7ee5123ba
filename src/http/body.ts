import { type FormParameters, parseParameters } from "../protocol/form_parameters.ts";
import { errorFactory, OAuthError } from "../protocol/oauth_error.ts";
import { parseJson } from "../util/json.ts";
import { withTimeout } from "../util/promises.ts";
import { readBytes } from "../util/read_stream.ts";
import { decodeUtf8 } from "../util/utf8.ts";

const invalidRequest = errorFactory("invalid_request");

const kilobyte = 1024;
const maxBodyLength = 64 * kilobyte;

/** How long a body may take, in milliseconds. A slow one would occupy its connection forever. */
const bodyTimeout = 15 * 1000;

/** A byte order mark would become part of the first name, or vanish without a word. */
const byteOrderMark = "\ufeff";

const utf8 = /^charset=(?:utf-8|"utf-8")$/;

const bodyText: unique symbol = Symbol.for("hallpass.body_text");
const bodyReader: unique symbol = Symbol.for("hallpass.body_reader");

type ReadBytes = () => Promise<BufferSource>;

/** Reads the bytes of a body. `read` does so with the methods of the request. */
type BodyReader = (read: ReadBytes) => Promise<BufferSource>;

/** A request, with its body once it was read, and how to read it. */
interface RequestWithText extends Request {
  [bodyText]?: Promise<string>;
  [bodyReader]?: BodyReader;
}

/** Reads the parameters of the query string. */
export function readQuery(request: Request): FormParameters {
  return parseParameters(new URL(request.url).search.slice(1));
}

/** Reads the parameters of a form (OAuth 2.1, section 3.2.2). */
export async function readForm(request: Request): Promise<FormParameters> {
  if (mediaType(request) !== "application/x-www-form-urlencoded") {
    throw invalidRequest("The body must be application/x-www-form-urlencoded.", {
      see: "OAuth 2.1, section 3.2.2",
    });
  }
  return parseParameters(await readText(request));
}

/** Reads a JSON document. */
export async function readJson(request: Request): Promise<unknown> {
  if (mediaType(request) !== "application/json") {
    throw invalidRequest("The body must be application/json.");
  }
  const value = parseJson(await readText(request));
  if (value === undefined) throw invalidRequest("The body is not JSON.");
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

/** Returns the body if it was read before, or an empty text. */
export async function textThatWasRead(request: RequestWithText): Promise<string> {
  return await request[bodyText]?.catch(() => "") ?? "";
}

/** Has the body of a request read in another way, which may go on to the way before. */
export function withBodyReader(request: RequestWithText, reader: BodyReader): Request {
  const before = request[bodyReader];
  request[bodyReader] = before ? (read) => reader(() => before(read)) : reader;
  return request;
}

/** Whether the body of a request was read, by its own methods or others. */
export function isTextRead(request: RequestWithText): boolean {
  return request[bodyText] !== undefined;
}

/** Creates the error for a body that takes too long. */
export function bodyTooSlow(): OAuthError {
  return invalidRequest("The body did not arrive in time.", {
    status: 408,
    headers: { Connection: "close" },
  });
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
  const text = decodeUtf8(bytes);
  if (text === undefined) throw invalidRequest("The body is not valid UTF-8.");
  if (text.startsWith(byteOrderMark)) {
    throw invalidRequest("The body must be UTF-8 without a byte order mark.");
  }
  return text;
}

async function readInTime(body: Promise<BufferSource>): Promise<BufferSource> {
  try {
    return await withTimeout(bodyTimeout, body, bodyTooSlow);
  } catch (cause) {
    if (cause instanceof OAuthError) throw cause;
    throw invalidRequest("The body could not be read completely.", { cause });
  }
}

/** On Node a half-read body would block the next request, so the connection is closed. */
function tooLarge(): OAuthError {
  return invalidRequest(`The body is larger than ${maxBodyLength / kilobyte} kB.`, {
    status: 413,
    headers: { Connection: "close" },
  });
}
