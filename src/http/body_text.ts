import { OAuthError } from "../protocol/oauth_error.ts";
import { applyRule, brokenRule, requirePresent } from "../protocol/rule.ts";
import { withTimeout } from "../util/promises.ts";
import { readBytes } from "../util/read_stream.ts";
import { decodeUtf8 } from "../util/utf8.ts";
import {
  bodyHasNoMark,
  bodyIsComplete,
  bodyIsInTime,
  bodyIsSmall,
  bodyIsUtf8,
  bodyTimeout,
  maxBodyLength,
} from "./body_rules.ts";

export type ReadBytes = () => Promise<BufferSource>;

/** Reads the bytes of a body. `read` reads them with the methods of the request. */
export type BodyReader = (read: ReadBytes) => Promise<BufferSource>;

/** How a listener reads the body of a request. */
interface BodyReading {
  readBytes?: ReadBytes | undefined;
  bodyReader?: BodyReader | undefined;
}

/**
 * Reads a body of limited length as text. The runtime enforces an announced length; without one, the
 * bytes are counted here.
 */
export async function readBodyText(
  request: Request,
  { readBytes: readKnown = () => request.arrayBuffer(), bodyReader }: BodyReading,
): Promise<string> {
  const announced = request.headers.get("Content-Length");
  if (Number(announced) > maxBodyLength) throw tooLarge();
  const read = announced === null
    ? () => readBytes(request.body, maxBodyLength, tooLarge)
    : readKnown;
  return decodeBody(await readInTime(bodyReader?.(read) ?? read()));
}

/** Creates the error for a body that takes too long. */
export function bodyTooSlow(): OAuthError {
  return brokenRule(bodyIsInTime, undefined);
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
