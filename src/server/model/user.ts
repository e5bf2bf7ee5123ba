import { type Claims, groupsScope } from "./claims.ts";
import type { Client } from "./client.ts";

/** A user, who can sign in. */
export interface User {
  /** The user name, which is typed at sign-in. */
  name: string;
  /** The subject identifier that clients see. It never changes (OpenID Connect Core, section 2). */
  subject: string;
  /** The hash of the password, as the password policy writes it. */
  passwordHash?: string | undefined;
  /** SHA-256 of a password in the configuration. It is never stored. */
  passwordDigest?: string | undefined;
  /** What clients may learn about the user. */
  claims: Claims;
  /** Whether the user is switched off. */
  disabled: boolean;
  /** Distinguishes a user in the store from an earlier one with the same name. */
  instance?: string;
  /** Distinguishes what is stored of the user from earlier and later versions of it. */
  revision?: string;
  /**
   * Changes with each new password, when the user is disabled, and when the operator signs the user
   * out: sessions and tokens of an earlier epoch are not active.
   */
  epoch?: string;
  /**
   * The `sid` of the session in which the user began the current epoch with a new password. It and
   * what was issued in it outlive the epochs before.
   */
  keptSession?: string | undefined;
  /** When the password was last changed, in milliseconds. */
  passwordChangedAt?: number | undefined;
  /** Whether the user signs in by passkey alone, by their own choice. */
  passkeyOnly?: boolean | undefined;
  /** A link of an administrator, by which the user may choose a password. */
  passwordLink?: PasswordLink | undefined;
  /** Browsers that knew the user before are forgotten, in milliseconds. */
  familiarSince?: number | undefined;
}

/**
 * Whether a user may use a client. It is asked wherever what a user allowed is used, so that a
 * member who leaves a group loses access at once.
 */
export function mayUse({ claims }: Pick<User, "claims">, { groups }: Pick<Client, "groups">) {
  return groups === undefined || groupsOf({ claims }).some((group) => groups.includes(group));
}

export function groupsOf({ claims }: Pick<User, "claims">): string[] {
  const { [groupsScope]: own = [] } = claims;
  return [own].flat().map(String);
}

/** A link by which a user chooses a password, once. */
export interface PasswordLink {
  /** Whether it is for a new user. */
  kind: "invite" | "reset";
  /** The SHA-256 of its secret. */
  hash: string;
  /** In milliseconds. */
  until: number;
}
