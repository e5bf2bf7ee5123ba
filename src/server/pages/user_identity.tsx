/** @jsxImportSource preact */
import type { VNode } from "preact";

/** What a page shows about a user. */
export interface DescribedUser {
  /** The user name, which is typed at sign-in. */
  userName: string;
  /** The full name, if it is known. */
  name?: string | undefined;
  /** The e-mail address, if it is known. */
  email?: string | undefined;
}

/** Returns the name that a user goes by: the full name, or else the user name. */
export function displayName({ name, userName }: DescribedUser): string {
  return name ?? userName;
}

/**
 * Shows who is signed in, on lines of their own. `bdi` keeps a name in another script from
 * reordering the text around it.
 */
export function UserIdentity({ user }: { user: DescribedUser }): VNode {
  const { name, email, userName } = user;
  // Two users may share a name.
  const other = email ?? (name && userName);
  return (
    <p class="identity">
      <bdi class="name">{displayName(user)}</bdi>
      {other && <bdi class="email">{other}</bdi>}
    </p>
  );
}
