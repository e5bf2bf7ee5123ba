import { OAuthError } from "../../protocol/oauth_error.ts";

/** The error for what was asked for too often. */
export function tooMany(message: string): OAuthError {
  const headers = { "Retry-After": "60" };
  return new OAuthError("temporarily_unavailable", message, { status: 429, headers });
}

export function isTooMany(cause: unknown): boolean {
  return cause instanceof OAuthError && cause.status === 429;
}
