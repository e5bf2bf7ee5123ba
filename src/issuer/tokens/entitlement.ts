import type { AccessRights } from "../../model/access_rights.ts";
import type { AccessTokenClaims, Actor } from "../../model/access_token.ts";
import type { Authorization } from "../records/rows.ts";

/** What a grant decided may be issued. */
export interface Entitlement extends AccessRights {
  /** What a person allowed. A client that acts for itself has none. */
  authorization?: Authorization;
  nonce?: string;
  /** The key that the tokens are bound to (RFC 9449). */
  jkt?: string;
  /** The refresh token that was presented, and whether it goes on or a new one follows it. */
  refreshed?: { token: string; keep: boolean };
  /** The token that this is given in exchange for. */
  exchanged?: ExchangedToken;
  /** Nothing but an access token, whatever the scope would bring otherwise. */
  accessTokenOnly?: boolean;
}

/** The new token is about the same subject, ends no later, and is void once this one is (RFC 8693). */
export interface ExchangedToken extends Pick<AccessTokenClaims, "sub" | "jti" | "exp"> {
  /** Who acts for the subject from now on. */
  act?: Actor;
}
