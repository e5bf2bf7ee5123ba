import type { Authorization } from "./rows.ts";

/** What a grant decided may be issued. */
export interface Entitlement {
  scope: string[];
  /** The resources the access token is for; none means the default one. */
  resources: string[];
  /** What a person allowed. A client that acts for itself has none. */
  authorization?: Authorization;
  nonce?: string;
  /** The key that the tokens are bound to (RFC 9449). */
  jkt?: string;
  /** The refresh token that was presented, and whether it goes on or a new one follows it. */
  refreshed?: { token: string; keep: boolean };
  /** Uses up what was presented. It is the last thing that happens: whatever fails before leaves it as it was. */
  spend?: () => Promise<void>;
}
