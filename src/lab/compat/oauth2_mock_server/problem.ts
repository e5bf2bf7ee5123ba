import type { ResponseData } from "../../../server/http/response_data.ts";

/** A request that cannot be handled, as the peer reports it. */
export class InvalidRequest extends Error {
  override readonly name = "InvalidRequest";
}

/** A body that is longer than what is read. */
export class TooLongBody extends Error {
  override readonly name = "TooLongBody";
}

/** Reads a parameter that is a URL. The peer fails where it is none. */
export function readUrl(name: string, text: string): URL {
  if (URL.canParse(text)) return new URL(text);
  throw new InvalidRequest(`'${name}' is not a URL`);
}

const types: Readonly<Record<number, readonly [section: string, title: string]>> = {
  400: ["15.5.1", "Bad Request"],
  413: ["15.5.14", "Content Too Large"],
  500: ["15.6.1", "Internal Server Error"],
};

/** Responds with the details of a problem (RFC 9457). */
function problemResponse(status: 400 | 413 | 500, detail: string): ResponseData {
  const [section, title] = types[status] ?? [];
  const type = `https://tools.ietf.org/html/rfc9110#section-${section}`;
  return {
    status,
    headers: [["Content-Type", "application/problem+json; charset=utf-8"]],
    body: JSON.stringify({ type, title, detail }),
  };
}

/** Responds to an error that was thrown: by a check, or by a listener of the test. */
export function thrownResponse(cause: unknown): ResponseData {
  if (cause instanceof InvalidRequest) return problemResponse(400, cause.message);
  if (cause instanceof TooLongBody) return problemResponse(413, cause.message);
  console.error("hallpass: a listener or a route of the test failed:", cause);
  return problemResponse(500, cause instanceof Error ? cause.message : String(cause));
}
