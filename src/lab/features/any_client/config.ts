/** Which clients a lab makes known. */
export interface AnyClientSetting {
  /**
   * Turns an unknown `client_id` into a client, with the redirect URIs of its requests, and its
   * first secret or any well-formed assertion (RFC 7523; for Apple, the secret is one).
   *
   * @forTests it accepts clients that the server does not know
   */
  anyClient?: boolean | undefined;
  /**
   * Whether an unknown client may leave PKCE out: in requests for `openid` with a `nonce`, if it
   * authenticates, or in all.
   *
   * @default "required"
   * @forTests it accepts unknown clients without PKCE
   */
  unknownClientPkce?: "required" | "or-nonce" | "optional" | undefined;
}
