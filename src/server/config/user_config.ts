import type { Claims } from "../model/claims.ts";

/** A user, who can sign in. */
export interface UserConfig {
  /** The name that the user types to sign in. */
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
   * Disables the user: they cannot sign in, and their tokens stop working immediately.
   *
   * @default false
   */
  disabled?: boolean;
}
