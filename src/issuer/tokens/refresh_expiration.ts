import { childrenEnd } from "../authorizations/authorizations.ts";
import type { Context } from "../context.ts";
import type { Authorization } from "../records/rows.ts";
import { secondsUntil } from "../time.ts";

/** Both ends that a refresh token can come to (draft-ietf-oauth-refresh-token-expiration-03, section 8). */
export const refreshExpirationTypes = ["authorization", "token_timeout"] as const;

/** What a client is told of them, in seconds from now. */
export interface RefreshExpiration {
  /** How long the refresh token may lie unused. */
  refresh_token_timeout: number;
  /** How long the last token may live that can come of the person's consent. */
  authorization_expires_in: number;
}

/** Tells when a client must be back, and when it must ask its person again (the same draft, sections 6.1 and 7). */
export function refreshExpiration(
  ctx: Context,
  authorization: Authorization,
  tokenEnd: number,
): RefreshExpiration {
  return {
    refresh_token_timeout: secondsUntil(ctx, tokenEnd),
    authorization_expires_in: secondsUntil(ctx, childrenEnd(ctx, authorization)),
  };
}
