import { errorFactory, OAuthError } from "../../protocol/oauth_error.ts";

const temporarilyUnavailable = errorFactory("temporarily_unavailable");

/** The error for what was asked for too often. */
export function tooMany(message: string): OAuthError {
  const headers = { "Retry-After": "60" };
  return temporarilyUnavailable(message, { status: 429, headers });
}

export function isTooMany(cause: unknown): boolean {
  return cause instanceof OAuthError && cause.status === 429;
}
