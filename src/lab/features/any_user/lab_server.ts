/** Which users a lab makes known. */
export interface AnyUserSetting {
  /**
   * Whether any name signs in at the sign-in page, with claims that are typed there;
   * `lab.authorize`, `lab.signIn` and a `login_hint` may have any name, too. The `sub` is the name.
   * Such a user stays until a reset; of more than 1,000, the newest stay.
   *
   * @default false
   * @forTests it signs in users that the server does not know
   * @atStart it is set at the start, or for a tenant
   */
  anyUser?: boolean | undefined;
}
