import type { Claims } from "../model/claims.ts";
import type { User } from "../model/user.ts";
import { sha256 } from "../util/hash.ts";
import type { Passwords } from "./passwords.ts";
import type { ReportProblem } from "./shape.ts";

/** A person who can sign in, as the operator writes them down. */
export interface UserConfig {
  /** What is typed at sign-in. */
  name: string;
  /** The `sub` that clients see. Default: the name. */
  sub?: string;
  /** The password in plain text. A configuration for production has `passwordHash` instead. */
  password?: string;
  /** In place of the password: its hash, as the passwords policy writes it. */
  passwordHash?: string;
  /** Claims about the user; the scopes decide which ones a client gets. */
  claims?: Claims;
  /**
   * Whether the user cannot sign in and has no active tokens.
   *
   * @default false
   */
  disabled?: boolean;
}

/** Whether a text can be the `sub` of a person (OpenID Connect Core, section 2). */
export function isSubject(text: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(text);
}

/** Makes a user of what the operator wrote. No password is hashed here: the first sign-in would take longer than the others. */
export async function toUser(config: UserConfig): Promise<User> {
  return {
    name: config.name,
    subject: config.sub ?? config.name,
    passwordHash: config.passwordHash,
    passwordDigest: config.password && await sha256(config.password),
    claims: config.claims ?? {},
    disabled: config.disabled ?? false,
  };
}

/** Tells what a user's members say against each other. */
export function checkUser(config: UserConfig, passwords: Passwords, report: ReportProblem): void {
  if (config.sub === undefined && !isSubject(config.name)) {
    report(
      "sub",
      "is missing, and the name cannot stand in for it: a 'sub' has up to 255 visible ASCII characters",
    );
  }
  if (config.password && config.passwordHash) {
    report("passwordHash", "stands beside a password; give one of them");
  }
  if (config.passwordHash && !passwords.isHash(config.passwordHash)) {
    report(
      "passwordHash",
      "is no hash that this server could check; make one with: hallpass password",
    );
  }
}
