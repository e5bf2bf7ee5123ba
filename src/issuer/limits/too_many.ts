import { OAuthError } from "../../protocol/oauth_error.ts";

/** The error for what was asked for too often. */
export function tooMany(message: string): OAuthError {
  return new OAuthError("temporarily_unavailable", message, { status: 429, headers: { "Retry-After": "60" } });
}

export function isTooMany(cause: unknown): boolean {
  return cause instanceof OAuthError && cause.status === 429;
}
