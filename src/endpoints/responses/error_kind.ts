import type { ErrorKind } from "../../pages/languages/words.ts";
import type { OAuthError } from "../../protocol/oauth_error.ts";

const kindByStatus: Readonly<Record<number, ErrorKind>> = {
  403: "denied",
  404: "notFound",
  405: "wrongMethod",
  429: "tooMany",
  503: "unavailable",
};

/** Returns what the page of an error is about, for a user. */
export function errorKind({ status, isExpired }: OAuthError): ErrorKind {
  if (isExpired) return "expired";
  return kindByStatus[status] ?? (status >= 500 ? "serverError" : "badRequest");
}

/** Returns in how many seconds to try again, if the error says so (RFC 9110, section 10.2.3). */
export function retryAfter({ headers }: OAuthError): number | undefined {
  const seconds = headers["Retry-After"];
  return seconds === undefined ? undefined : Number(seconds);
}
