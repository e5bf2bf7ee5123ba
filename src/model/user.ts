import type { Claims } from "./claims.ts";

/** A person who can sign in. */
export interface User {
  /** What is typed at sign-in, and the name under which the person is found. */
  name: string;
  /** The subject identifier that clients see; it never changes (OpenID Connect Core, section 2). */
  subject: string;
  /** The hash of the password, if it is stored. */
  passwordHash?: string;
  /** SHA-256 of a password that stands in the configuration. It is never stored. */
  passwordDigest?: string;
  /** Claims about the user; the scopes decide which ones a client gets. */
  claims: Claims;
  /** Whether the user cannot sign in and has no active tokens. */
  disabled: boolean;
  /** Tells this user of the store from an earlier one of the same name. */
  instance?: string;
  /** Another one with each new password, disabling and sign-out by the operator: sessions and tokens of an earlier one are void. */
  epoch?: string;
}
