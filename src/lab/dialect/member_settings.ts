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
