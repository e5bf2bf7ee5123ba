import type { Access } from "../../protocol/access.ts";
import type { AccessTokenClaims, Actor } from "../../protocol/access_token.ts";
import type { Authorization } from "../records/rows.ts";

/** What a grant decided may be issued. */
export interface Entitlement extends Access {
  /** What a person allowed. A client that acts for itself has none. */
  authorization?: Authorization;
  nonce?: string;
  /** The key that the tokens are bound to (RFC 9449). */
  jkt?: string;
  /** The refresh token that was presented, and whether it goes on or a new one follows it. */
  refreshed?: { token: string; keep: boolean };
  /** The token that this is given in exchange for: the new one is about the same subject, ends no later, and falls with it. */
  exchanged?: Pick<AccessTokenClaims, "sub" | "jti" | "exp">;
  /** Who acts for the subject. */
  act?: Actor;
  /** Nothing but an access token, whatever the scope would bring otherwise. */
  accessTokenOnly?: boolean;
  /** What the answer says besides the tokens. */
  answer?: Record<string, unknown>;
  /** Uses up what was presented. It is the last thing that happens: whatever fails before leaves it as it was. */
  spend?: () => Promise<void>;
}
