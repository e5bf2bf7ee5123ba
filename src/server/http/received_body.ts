import { absent, type ApplyRule, requirePresent, requireValue, ruleSet } from "../protocol/rule.ts";
import { decodeUtf8 } from "../util/bytes/encoding.ts";
import { readBytes } from "../util/bytes/read_stream.ts";
import { withTimeout } from "../util/time/promises.ts";

const kilobyte = 1024;

const maxBodyLength = 64 * kilobyte;

/** How long a body may take, in milliseconds. A slow one would occupy its connection forever. */
export const bodyTimeout = 15 * 1000;

/** A byte order mark would become part of the first name, or silently disappear. */
const byteOrderMark = "\ufeff";

/** A body as it is sent, of the platform or of a listener. */
export interface SentBody {
  readonly headers: { get(name: string): string | null };
  /** Its bytes as they arrive. */
  readonly body: AsyncIterable<Uint8Array> | null;
  readonly bodyUsed: boolean;
  arrayBuffer(): Promise<BufferSource>;
}

/** A body, or why it was not read to its end. */
export interface ReceivedBody {
  bytes?: BufferSource;
  isLarge?: true;
  isLate?: true;
  cause?: unknown;
}

const about = { see: "RFC 9110, section 8", error: "invalid_request" } as const;

export const bodyRules = ruleSet("body", about, {
  form: { ...contentType("application/x-www-form-urlencoded"), see: "OAuth 2.1, section 3.2.2" },
  json_type: contentType("application/json"),
  json: { title: "The body must be a JSON document" },
  utf8: { title: "The body must be UTF-8" },
  mark: {
    title: "The body must not begin with a byte order mark",
    holds: (text: string) => !text.startsWith(byteOrderMark),
  },
  complete: {
    title: "The body must arrive completely",
    details: ({ cause }) => ({ cause }),
    fix: "Send exactly as many bytes as the Content-Length declares.",
    holds: ({ bytes }: ReceivedBody) => bytes !== undefined,
  },
  time: {
    ...absent,
    title: `The body must arrive within ${bodyTimeout / 1000} seconds`,
    details: { status: 408, headers: { Connection: "close" } },
  },
  // On Node a half-read body would block the next request, so the connection is closed.
  size: {
    ...absent,
    title: `The body must have at most ${maxBodyLength / kilobyte} kB`,
    details: { status: 413, headers: { Connection: "close" } },
  },
});

function contentType(expected: string) {
  return {
    parameter: "Content-Type",
    title: `The Content-Type must be ${expected}`,
    holds: (type: string) => type === expected,
    expected: () => expected,
    received: (type: string) => type || "no media type, or a charset other than UTF-8",
  };
}

export type ReadBytes = () => Promise<BufferSource>;

/** Reads a body with the methods of the request. Must reject what is late by `bodyTimeout`. */
export type BodyReader = (read: ReadBytes) => Promise<BufferSource>;

/** Stops the reading of a body. */
export class StoppedBody extends Error {
  /** The name of the error class. */
  override readonly name = "StoppedBody";
  /** What is known about the body. */
  readonly body: ReceivedBody;

  /** Creates an error with what is known about the body. */
  constructor(body: ReceivedBody) {
    super();
    this.body = body;
  }
}

/** Creates what stops the reading of a body that takes too long. */
export function lateBody(): StoppedBody {
  return new StoppedBody({ isLate: true });
}

/**
 * Receives a body of limited length. The runtime enforces an announced length; without one, the
 * bytes are counted here.
 */
export async function receiveBody(
  request: SentBody,
  { readBytes: readKnown = () => request.arrayBuffer(), bodyReader }: {
    readBytes?: ReadBytes | undefined;
    bodyReader?: BodyReader | undefined;
  },
): Promise<ReceivedBody> {
  const announced = request.headers.get("Content-Length");
  if (Number(announced) > maxBodyLength) return { isLarge: true };
  // The stream of a body that an application has read before ends at once.
  if (announced === null && request.bodyUsed) return {};
  const read = announced === null ? () => readCounted(request) : readKnown;
  try {
    const reading = bodyReader?.(read) ?? withTimeout(bodyTimeout, read(), lateBody);
    return { bytes: await reading };
  } catch (cause) {
    return cause instanceof StoppedBody ? cause.body : { cause };
  }
}

/** Reads a body without an announced length. Firefox has no `Request.body`, and so no stream. */
async function readCounted(request: SentBody): Promise<BufferSource> {
  const tooLarge = () => new StoppedBody({ isLarge: true });
  if (request.body !== undefined) return await readBytes(request.body, maxBodyLength, tooLarge);
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > maxBodyLength) throw tooLarge();
  return bytes;
}

/** Decodes a body, which must be complete. */
export function decodeBody(apply: ApplyRule, body: ReceivedBody): string {
  apply(bodyRules.size, body.isLarge);
  apply(bodyRules.time, body.isLate);
  const bytes = requireValue(apply, bodyRules.complete, body, body.bytes);
  const text = requirePresent(apply, bodyRules.utf8, decodeUtf8(bytes));
  apply(bodyRules.mark, text);
  return text;
}
