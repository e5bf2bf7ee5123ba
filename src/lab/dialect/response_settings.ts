import type { FaultPlace } from "../responses/places.ts";

/** Members to set and to remove. */
export interface MemberChange {
  /** The members to set. */
  set?: Record<string, unknown> | undefined;
  /** The names of members to remove. */
  unset?: string[] | undefined;
  /**
   * The names of the only members that stay, beside those of `set`.
   *
   * @default all
   */
  keep?: string[] | undefined;
}

/** How an API refuses a request. */
export interface ApiRefusal {
  /**
   * The status.
   *
   * @integer
   * @minimum 400
   * @maximum 599
   */
  status: number;
  /** The JSON. */
  body: unknown;
}

/** Another error in place of one of the server. */
export interface ErrorShape {
  /** The endpoint. */
  at: FaultPlace;
  /**
   * The `error` of the server, or the rule that the request broke: `"code.redirect_uri"`.
   *
   * @default every error
   */
  for?: string[] | undefined;
  /** The members of the response; `{description}` is the description of the server. */
  set: Record<string, unknown>;
  /**
   * The status.
   *
   * @integer
   * @minimum 200
   * @maximum 599
   * @default that of the server
   */
  status?: number | undefined;
}

/** How a JWT differs: members of its claims, and of its header. */
export interface TokenShape extends MemberChange {
  /** Changes of the header. */
  header?: MemberChange | undefined;
}

/** Claims about users that are added. */
export interface AddedClaims extends ConditionalMembers {
  /** Where the claims are added. */
  in: Array<"id_token" | "access_token" | "userinfo">;
  /** What takes the place of the claims if one is a list that is too long. */
  overage?: ClaimsOverage | undefined;
}

/** Members about a user, under conditions. */
export interface ConditionalMembers {
  /** The scope that must be granted. */
  scope?: string | undefined;
  /** The claim of the user that must be true. */
  when?: string | undefined;
  /** The members. */
  set: Record<string, unknown>;
}

/** What takes the place of a list that is too long for a token. */
export interface ClaimsOverage {
  /**
   * How many entries a list may have.
   *
   * @integer
   * @minimum 1
   * @maximum 10000
   */
  most: number;
  /** The claims instead. */
  set: Record<string, unknown>;
}

/** Which responses have a refresh token. */
export interface RefreshTokenRule {
  /** The scope that a request must name. */
  scope?: string | undefined;
  /** The parameter that an authorization request must have, with its value: `access_type=offline`. */
  parameter?: string | undefined;
  /**
   * The parameter that every later request of the same user and client must have as well, because
   * only the first one yields a refresh token: `prompt=consent`.
   *
   * @default none: each does
   */
  again?: string | undefined;
}
