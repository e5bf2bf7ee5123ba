import type { Client } from "../model/client.ts";
import { isClientIdUrl } from "./client_id_url.ts";
import { describeReceiver } from "./redirect_uri.ts";
import type { ResponseTarget } from "./response_target.ts";

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

export interface ErrorRedirectConditions {
  signedIn: boolean;
  /** The setting `errorsAfterSignIn`. */
  onlyAfterSignIn: boolean;
}

/**
 * Whether an error may be redirected without the user's confirmation. Otherwise anyone could
 * register a client and use its errors to redirect from this server to a site of theirs (RFC 9700,
 * section 4.11.2; OAuth 2.1, section 7.13.2).
 */
export function mayRedirectError(
  { trusted, hasPromptNone }: ResponseTarget,
  { signedIn, onlyAfterSignIn }: ErrorRedirectConditions,
): boolean {
  return trusted && (hasPromptNone || signedIn || !onlyAfterSignIn);
}

/** Whether consent is remembered. Another client can take the name of an untrusted one. */
export function mayRememberConsent(
  { trusted, rememberConsent }: Pick<Client, "trusted" | "rememberConsent">,
): boolean {
  return trusted && rememberConsent;
}

/** What a page says about an untrusted client, which chose its own name and links. */
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
