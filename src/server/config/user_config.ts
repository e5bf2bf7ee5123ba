import type { Claims } from "../model/claims.ts";

/** A user, who can sign in. */
export interface UserConfig {
  /** The user name, which is typed at sign-in. */
  name: string;
  /**
   * The subject identifier that clients see.
   *
   * @format subject
   * @default the `name`
   */
  sub?: string;
  /** The password. Without a password or its hash, the user cannot sign in with one. */
  password?: string;
  /** The hash of the password, in place of `password`, as `hallpass password` prints it. */
  passwordHash?: string | undefined;
  /**
   * What clients may learn about the user (OpenID Connect Core, section 5.1).
   *
   * @default {}
   */
  claims?: Claims;
  /**
   * Whether the user is switched off: they cannot sign in, and their tokens are not active.
   *
   * @default false
   */
  disabled?: boolean;
}
