/** What a test can do with the sessions of users. */
export interface SessionTools {
  /**
   * Returns where users are signed in, and what they allowed clients there, the newest first:
   * `const [session] = await lab.sessions({ user: "alice" }); await session?.end();`. Tokens that
   * outlive their session, or never had one, are in the list as well.
   *
   * @throws {LabError} There is no such user.
   */
  sessions(filter?: SessionFilter): Promise<LabSession[]>;
}

/** Selects sessions. */
export interface SessionFilter {
  /**
   * The name of the user.
   *
   * @default every user
   */
  user?: string | undefined;
}

/** A session of a user, and the tokens that were issued in it. */
export interface LabSession extends ListedSession {
  /** The tokens that were issued in it. */
  readonly tokens: SessionTokens[];
  /**
   * Ends the session, as if the user had signed out: its clients get their logout tokens, which
   * have arrived by then. Tokens with `offline_access` outlive it.
   *
   * @throws {LabError} The session is over.
   */
  end(): Promise<void>;
}

/** What a client got in a session. */
export interface SessionTokens extends ListedTokens {
  /**
   * Revokes the tokens, and what can be redeemed for others.
   *
   * @throws {LabError} They were revoked, or are over.
   */
  end(): Promise<void>;
}

/** A session, as data. */
export interface ListedSession {
  /** The `sid`. Undefined for tokens that were issued without a session. */
  sid?: string | undefined;
  /** The name of the user. */
  user: string;
  /** Whether the user is signed in. */
  active: boolean;
  /** When the user signed in: `"2030-01-01T00:00:00.000Z"`. */
  authTime?: string | undefined;
  /** How strong the sign-in was. */
  acr?: string | undefined;
  /** The methods that were used (RFC 8176). */
  amr?: string[] | undefined;
  /** The clients that take part in the session, and may be notified of its end. */
  clients: string[];
  /** What is still active of what was issued in it. */
  tokens: ListedTokens[];
}

/** The tokens of a client, as data. */
export interface ListedTokens {
  /** The id, for DELETE /sessions/{id}. */
  id: string;
  /** The id of the client. */
  client: string;
  /** The scope that the user allowed. */
  scope: string;
  /** By when the last of them has expired. */
  until: string;
}
