/** Which clients a lab makes known. */
export interface AnyClientSetting {
  /**
   * Turns an unknown `client_id` into a client, with the redirect URIs of its requests, and with
   * its first secret, or any well-formed assertion (RFC 7523; a client secret that is a JWT is one,
   * as for Apple): the lab does not check the signature.
   *
   * @default false
   * @forTests it accepts clients that the server does not know
   */
  anyClient?: boolean | undefined;
  /**
   * Whether an unknown client may leave PKCE out: in requests for `openid` with a `nonce`, if it
   * authenticates at the token endpoint, or in all requests.
   *
   * @default "required"
   * @forTests it accepts unknown clients without PKCE
   */
  unknownClientPkce?: "required" | "or-nonce" | "optional" | undefined;
}
