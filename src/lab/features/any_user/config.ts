/** Which users a lab makes known. */
export interface AnyUserSetting {
  /**
   * Signs in any name that the sign-in page, `lab.authorize`, `lab.signIn` or a `login_hint` gets,
   * which is also the `sub`; the page takes claims, too. The newest 1,000 stay until a reset.
   *
   * @forTests it signs in users that the server does not know
   * @atStart it is set at the start, or for a tenant
   */
  anyUser?: boolean | undefined;
}
