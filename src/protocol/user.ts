import type { Claims } from "./claims.ts";

/** A person who can sign in. */
export interface User {
  /** What is typed at sign-in, and the name under which the person is found. */
  name: string;
  /** The subject identifier that clients see; it never changes (OpenID Connect Core, section 2). */
  subject: string;
  passwordHash?: string;
  claims: Claims;
  disabled: boolean;
}
