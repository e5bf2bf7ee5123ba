import type {
  AccessRights,
  AccessTokenClaims,
  Actor,
  BoundKeys,
} from "../../model/access_token.ts";
import type { ClientReference, ClientSecret } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import type { Authorization, RefreshToken } from "../records/rows.ts";

/** What the token endpoint may issue, as a grant decided. */
export interface Entitlement extends AccessRights, BoundKeys {
  /** The user's authorization. Absent if the client acts on its own behalf. */
  authorization?: Authorization | undefined;
  /** Its user, if read already. */
  user?: User | undefined;
  /** The `nonce` of the authorization request, for the ID token. */
  nonce?: string | undefined;
  /** The secret with which the client authenticated. It may sign the ID token. */
  clientSecret?: ClientSecret | undefined;
  presentedRefreshToken?: {
    token: string;
    row: RefreshToken;
    /** Whether the client continues to use it. Otherwise a new refresh token replaces it. */
    isKept: boolean;
    /** Whether it was used before, so that its successor exists. */
    isRepeated: boolean;
  };
  /**
   * The subject token of a token exchange (RFC 8693). The issued token has its subject, does not
   * outlive it, and is revoked with it.
   */
  subjectToken?: AccessTokenClaims & {
    /** The clients that exchanged it before, in order. */
    exchangedBy: readonly ClientReference[];
  };
  /** Who acts for the subject after a token exchange: the `act` claim. */
  actor?: Actor | undefined;
  /** Whether to issue no refresh token and no ID token, even if the scope contains `openid`. */
  accessTokenOnly?: boolean;
}
