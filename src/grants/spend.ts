import { OAuthError } from "../protocol/oauth_error.ts";
import { childrenEnd, revokeAuthorization } from "../issuer/authorizations.ts";
import type { Context } from "../issuer/context.ts";
import type { Table } from "../issuer/records.ts";
import type { Authorization } from "../issuer/rows.ts";

/** Something that may be used once, by one of all who try. */
export interface Spendable<T> {
  table: Table<T>;
  secret: string;
  authorization: Authorization;
  /** What to call it: "code" or "refresh token". */
  what: string;
  /** Whether a second use right after the first is no more than a repeated request. */
  isRepeat?: () => Promise<boolean>;
}

/**
 * Spends a code or a refresh token, as the last step: everything else about the request is in order by now.
 * Whoever comes second proves that the secret is in two hands, so all that came of it is taken back,
 * what the winner writes a moment later included (OAuth 2.1, sections 4.3.1 and 7.5.2).
 */
export async function spend<T>(ctx: Context, { table, secret, authorization, what, isRepeat }: Spendable<T>): Promise<void> {
  if (await table.consume(secret, childrenEnd(ctx, authorization))) return;
  if (await isRepeat?.()) return;
  await revokeAuthorization(ctx, authorization, `its ${what} was used twice`);
  throw new OAuthError("invalid_grant", `This ${what} has been used before; everything that was issued from it is revoked now.`, {
    see: "OAuth 2.1, section 7.5.2",
  });
}
