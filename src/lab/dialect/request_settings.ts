/** How a logout request differs from that of OpenID Connect. */
export interface LogoutForm {
  /**
   * The parameter that says where users go after the sign-out, beside `post_logout_redirect_uri`.
   *
   * @default none
   */
  redirectParameter?: string | undefined;
  /**
   * Whether users are asked if a request has no ID token of their session.
   *
   * @default "ask"
   */
  confirmation?: "ask" | "skip" | undefined;
}
