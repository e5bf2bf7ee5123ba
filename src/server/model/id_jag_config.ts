/**
 * A server that a client may get an ID-JAG for. A request only chooses among these entries: what an
 * ID-JAG says about the other domain is copied from here.
 */
export interface IdJagConfig {
  /**
   * The issuer of that server.
   *
   * @format url
   */
  audience: string;
  /**
   * The resource of that server. Entries with the same audience must each have another one.
   *
   * @format uri
   * @default none: that server decides
   */
  resource?: string;
  /**
   * The id that the client has at that server.
   *
   * @format client-id
   */
  clientId: string;
  /**
   * The scopes of that server that may be requested.
   *
   * @format scope
   */
  scopes: string[];
  /**
   * The names of the users who may be named, each with the scopes that the user may have.
   *
   * @default every user, with all of the scopes
   */
  users?: Record<string, string[]>;
  /**
   * The client as which that server signs users in here: the `sub` is that of its ID tokens.
   *
   * @format client-id
   * @default none: the public `sub`
   */
  relyingParty?: string;
  /**
   * Whether to include the email address, by which that server can find the account of the user.
   *
   * @default false
   */
  email?: boolean;
}
