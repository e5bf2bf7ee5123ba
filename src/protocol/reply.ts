/** How an authorization response travels (OAuth 2.0 Multiple Response Types; Form Post Response Mode). */
export const responseModes = ["query", "form_post", "fragment"] as const;

export type ResponseMode = (typeof responseModes)[number];

/** Where an authorization response goes, once the client and its redirect URI are trusted. */
export interface ReplyTo {
  redirectUri: string;
  mode: ResponseMode;
  state?: string;
}

/** The members of an authorization response, in the order in which they are sent. */
export type ReplyMembers = Record<string, string | undefined>;

/**
 * Adds the answer to the redirect URI, whose own query string stays as it is (OAuth 2.1, section 2.3).
 * The URI is never parsed and built anew: a parser would change the bytes that the client registered.
 */
export function replyLocation(to: ReplyTo, members: ReplyMembers): string {
  const answer = encodeMembers(members);
  if (to.mode === "fragment") return `${to.redirectUri}#${answer}`;
  return `${to.redirectUri}${queryJoint(to.redirectUri)}${answer}`;
}

function queryJoint(uri: string): string {
  if (!uri.includes("?")) return "?";
  return uri.endsWith("?") || uri.endsWith("&") ? "" : "&";
}

function encodeMembers(members: ReplyMembers): string {
  return Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value!)}`)
    .join("&");
}
