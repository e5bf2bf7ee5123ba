/** Which clients a lab makes known. */
export interface AnyClientSetting {
  /**
   * Whether an unknown `client_id` becomes a client, with the redirect URIs that its requests
   * bring, and with the first secret, or any well-formed assertion (RFC 7523): its signature is not
   * checked.
   *
   * @default false
   * @forTests it accepts clients that the server does not know
   */
  anyClient?: boolean | undefined;
  /**
   * Whether an unknown client may leave PKCE out.
   *
   * @default "required"
   * @forTests it accepts unknown clients without PKCE
   */
  unknownClientPkce?: "required" | "optional" | undefined;
}
