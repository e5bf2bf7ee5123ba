import { ruleSet } from "../protocol/rule_set.ts";

const kilobyte = 1024;

export const maxBodyLength = 64 * kilobyte;

/** How long a body may take, in milliseconds. A slow one would occupy its connection forever. */
export const bodyTimeout = 15 * 1000;

/** A byte order mark would become part of the first name, or silently disappear. */
const byteOrderMark = "\ufeff";

/** A body, or why it was not read to its end. */
export interface ReceivedBody {
  bytes?: BufferSource;
  isLarge?: boolean;
  isLate?: boolean;
  cause?: unknown;
}

const about = { see: "RFC 9110, section 8", error: "invalid_request" } as const;

export const bodyRules = ruleSet("body", about, {
  form: { ...contentType("application/x-www-form-urlencoded"), see: "OAuth 2.1, section 3.2.2" },
  json_type: contentType("application/json"),
  json: { must: "The body must be a JSON document" },
  utf8: { must: "The body must be UTF-8" },
  mark: {
    must: "The body must not begin with a byte order mark",
    holds: (text: string) => !text.startsWith(byteOrderMark),
  },
  complete: {
    must: "The body must arrive completely",
    details: ({ cause }) => ({ cause }),
    fix: "Send exactly as many bytes as the Content-Length declares.",
    holds: ({ bytes }: ReceivedBody) => bytes !== undefined,
  },
  time: {
    must: `The body must arrive within ${bodyTimeout / 1000} seconds`,
    details: { status: 408, headers: { Connection: "close" } },
    holds: ({ isLate }: ReceivedBody) => !isLate,
  },
  // On Node a half-read body would block the next request, so the connection is closed.
  size: {
    must: `The body must have at most ${maxBodyLength / kilobyte} kB`,
    details: { status: 413, headers: { Connection: "close" } },
    holds: ({ isLarge }: ReceivedBody) => !isLarge,
  },
});

function contentType(expected: string) {
  return {
    parameter: "Content-Type",
    must: `The Content-Type must be ${expected}`,
    holds: (type: string) => type === expected,
    expected: () => expected,
    came: (type: string) => type || "no media type, or a charset other than UTF-8",
  };
}
