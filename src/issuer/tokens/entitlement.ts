import type { AccessRights } from "../../model/access_rights.ts";
import type { AccessTokenClaims, Actor } from "../../model/access_token.ts";
import type { Authorization } from "../records/rows.ts";

/** What a grant decided may be issued. */
export interface Entitlement extends AccessRights {
  /** What a user allowed. A client that acts for itself has none. */
  authorization?: Authorization | undefined;
  nonce?: string | undefined;
  /** The thumbprint of the key that the tokens are bound to (RFC 9449). */
  jkt?: string | undefined;
  /** The refresh token that was presented. */
  refreshed?: RefreshedToken;
  /** The token that the new one is given in exchange for. */
  exchanged?: ExchangedToken;
  /** Whether only an access token is issued, whatever the scope would allow. */
  accessTokenOnly?: boolean;
}

/** A refresh token that was presented, and whether the client keeps it or gets a successor. */
export interface RefreshedToken {
  token: string;
  keep: boolean;
}

/**
 * The new token has the same subject, expires no later, and is revoked with this one (RFC 8693).
 */
export interface ExchangedToken extends Pick<AccessTokenClaims, "sub" | "jti" | "exp"> {
  /** Who acts for the subject. */
  act?: Actor | undefined;
}
