import type { Rule } from "../protocol/rule.ts";

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

export const bodyIsForm: Rule<string> = {
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

export const bodyIsJsonType: Rule<string> = {
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

export const bodyIsJson: Rule<unknown> = {
  ...about,
  id: "body.json",
  title: "The body is JSON",
  message: "The body is not JSON.",
  advice: "Send a single JSON document.",
  holds: (value) => value !== undefined,
};

export const bodyIsUtf8: Rule<string | undefined> = {
  ...about,
  id: "body.utf8",
  title: "The body is UTF-8",
  message: "The body is not valid UTF-8.",
  advice: "Encode the body as UTF-8.",
  holds: (text) => text !== undefined,
};

export const bodyHasNoMark: Rule<string> = {
  ...about,
  id: "body.mark",
  title: "The body has no byte order mark",
  message: "The body must be UTF-8 without a byte order mark.",
  advice: "Send the body without a byte order mark.",
  holds: (text) => !text.startsWith(byteOrderMark),
};

export const bodyIsComplete: Rule<ReceivedBody> = {
  ...about,
  id: "body.complete",
  title: "The body is complete",
  message: "The body could not be read completely.",
  details: ({ cause }) => ({ cause }),
  advice: "Send exactly as many bytes as the Content-Length declares.",
  holds: ({ bytes }) => bytes !== undefined,
};

export const bodyIsInTime: Rule<ReceivedBody> = {
  ...about,
  id: "body.time",
  title: `The body arrives within ${bodyTimeout / 1000} seconds`,
  message: "The body did not arrive in time.",
  details: { status: 408, headers: { Connection: "close" } },
  advice: "Send the whole body without a pause.",
  holds: ({ isLate }) => !isLate,
};

/** On Node a half-read body would block the next request, so the connection is closed. */
export const bodyIsSmall: Rule<ReceivedBody> = {
  ...about,
  id: "body.size",
  title: `The body has at most ${maxBodyLength / kilobyte} kB`,
  message: `The body is larger than ${maxBodyLength / kilobyte} kB.`,
  details: { status: 413, headers: { Connection: "close" } },
  advice: "Send a smaller body.",
  holds: ({ isLarge }) => !isLarge,
};
