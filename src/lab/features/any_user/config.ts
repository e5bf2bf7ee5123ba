/** Which users a lab makes known. */
export interface AnyUserSetting {
  /**
   * Signs in any name that the sign-in page, `lab.authorize`, `lab.signIn` or a `login_hint` gets;
   * the page takes claims as well. The `sub` is the name. Such a user stays until a reset; of more
   * than 1,000, the newest stay.
   *
   * @default false
   * @forTests it signs in users that the server does not know
   * @atStart it is set at the start, or for a tenant
   */
  anyUser?: boolean | undefined;
}
