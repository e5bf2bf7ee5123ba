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
