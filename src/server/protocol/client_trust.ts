import type { Client } from "../model/client.ts";
import { isLoopbackHost, parseAbsoluteUri } from "../util/addresses/uri.ts";
import { describeReceiver } from "./redirect_uri.ts";
import type { ResponseTarget } from "./response_target.ts";

const maxClientIdUrlLength = 255;

/**
 * How far the operator trusts a client. A configured client is trusted. One that registered with an
 * initial access token is admitted, or trusted if the operator configured that. One that registered
 * openly, or that has a metadata document, is untrusted: anyone can make such a client, under any
 * name.
 */
export type TrustLevel = "trusted" | "admitted" | "untrusted";

type ClientOrigin = Pick<Client, "trusted" | "registration">;

export function trustOf({ trusted, registration }: ClientOrigin): TrustLevel {
  if (trusted) return "trusted";
  return registration?.initialAccess ? "admitted" : "untrusted";
}

/** Returns the trust in a client that registered with or without an initial access token. */
export function registrationTrust(
  initialAccess: boolean,
  { trusted }: { trusted: boolean },
): TrustLevel {
  if (!initialAccess) return "untrusted";
  return trusted ? "trusted" : "admitted";
}

/** Whether the operator chose the URLs of a client. A registered client chose its own. */
export function hasOperatorUrls({ trusted, registration }: ClientOrigin): boolean {
  return trusted && registration === undefined;
}

/**
 * Whether an error may be redirected without the user's confirmation. Otherwise anyone could
 * register a client and use its errors to redirect from this server to a site of theirs (RFC 9700,
 * section 4.11.2; OAuth 2.1, section 7.13.2).
 */
export function mayRedirectError(
  { trusted, hasPromptNone }: ResponseTarget,
  { signedIn, onlyAfterSignIn }: {
    signedIn: boolean;
    /** The setting `errorsAfterSignIn`. */
    onlyAfterSignIn: boolean;
  },
): boolean {
  return trusted && (hasPromptNone || signedIn || !onlyAfterSignIn);
}

/** Whether consent is remembered. Another client can take the name of an untrusted one. */
export function mayRememberConsent(
  { trusted, rememberConsent }: Pick<Client, "trusted" | "rememberConsent">,
): boolean {
  return trusted && rememberConsent;
}

/** What a page shows about an untrusted client, which chose its own name and links. */
export interface UntrustedClientNotice {
  /** The host of its metadata document; undefined if the client registered itself. */
  host?: string | undefined;
  /** Where the response goes; empty for a device. */
  receivers: string[];
}

/** Returns the warning for every page that names an untrusted client (OAuth 2.1, section 7.9). */
export function untrustedClientNotice(
  { id, trusted }: Pick<Client, "id" | "trusted">,
  redirectUris: readonly string[],
): UntrustedClientNotice | undefined {
  if (trusted) return undefined;
  const host = isClientIdUrl(id, true) ? new URL(id).host : undefined;
  return { host, receivers: [...new Set(redirectUris.map(describeReceiver))] };
}

/**
 * Whether a client_id is the URL of a metadata document: https, with a path, and in canonical
 * spelling. This excludes dot segments, user information, odd hosts and second spellings of the
 * same URL (OAuth Client ID Metadata Document, section 3).
 */
export function isClientIdUrl(clientId: string, allowHttpLoopback = false): boolean {
  if (clientId.length > maxClientIdUrlLength || /[?#@]/.test(clientId)) return false;
  const url = parseAbsoluteUri(clientId);
  if (!url) return false;
  const { protocol, hostname, pathname, href } = url;
  const isLoopback = allowHttpLoopback && protocol === "http:" && isLoopbackHost(hostname);
  return (protocol === "https:" || isLoopback) && pathname !== "/" && href === clientId;
}
