import { scopeOfClaim } from "../model/claims.ts";
import type { Client } from "../model/client.ts";
import type { ResponseTarget } from "./authorization_response.ts";
import { isTokenClaim } from "./claims_request.ts";
import { isClientIdUrl } from "./client_id_url.ts";
import { receiverOf } from "./redirect_uri.ts";

/**
 * How far the operator answers for a client. One that is configured is trusted. One that registered
 * with an initial access token is admitted, or trusted where the operator says so. One that
 * registered openly, or that a metadata document describes, is untrusted: anyone can bring such a
 * client, under any name.
 */
export type TrustLevel = "trusted" | "admitted" | "untrusted";

export function trustOf(
  { trusted, registration }: Pick<Client, "trusted" | "registration">,
): TrustLevel {
  if (trusted) return "trusted";
  return registration?.initialAccess ? "admitted" : "untrusted";
}

/**
 * Whether the operator wrote down the URLs of a client. A client that registered chose its own,
 * trusted or not.
 */
export function hasOperatorUrls(
  { trusted, registration }: Pick<Client, "trusted" | "registration">,
): boolean {
  return trusted && registration === undefined;
}

/**
 * Whether an error may be redirected without a click. Otherwise anyone could register a client
 * whose mistakes lead from our address to theirs (RFC 9700, section 4.11.2; OAuth 2.1, section
 * 7.13.2).
 */
export function mayRedirectError(
  { trusted, promptsNone }: ResponseTarget,
  { signedIn, onlyAfterSignIn }: ErrorRedirectConditions,
): boolean {
  return trusted && (promptsNone || signedIn || !onlyAfterSignIn);
}

export interface ErrorRedirectConditions {
  signedIn: boolean;
  /** The setting `errorsAfterSignIn`. */
  onlyAfterSignIn: boolean;
}

/**
 * Whether the browser may be redirected after a sign-out without a click. An ID token of an
 * untrusted client proves nothing by itself: whoever registered the client can hand its token to
 * anyone, and would own an open redirect (OpenID Connect RP-Initiated Logout, section 3; RFC 9700,
 * section 4.11.2).
 */
export function mayRedirectAfterLogout(
  { trusted }: Pick<Client, "trusted">,
  situation: LogoutRedirectConditions,
): boolean {
  const { hasHint, isOwnSession, isConfirmed } = situation;
  return isConfirmed || isOwnSession || (trusted && hasHint);
}

export interface LogoutRedirectConditions {
  /** An ID token of ours came along. */
  hasHint: boolean;
  /** That ID token was issued in the very session that is being ended. */
  isOwnSession: boolean;
  /** The person confirmed on our page, which names the client and warns of it. */
  isConfirmed: boolean;
}

/**
 * Whether consent is remembered. Another client could have taken an untrusted one's name meanwhile.
 */
export function mayRememberConsent(
  { trusted, rememberConsent }: Pick<Client, "trusted" | "rememberConsent">,
): boolean {
  return trusted && rememberConsent;
}

/**
 * Whether a client may ask for a claim by its name: an untrusted one only for those of its standard
 * scopes.
 */
export function mayNameClaim(
  client: Pick<Client, "scopes" | "trusted" | "registration">,
  claim: string,
): boolean {
  const scope = scopeOfClaim(claim);
  if (scope !== undefined) return client.scopes.includes(scope);
  return client.scopes.includes("openid") &&
    (isTokenClaim(claim) || trustOf(client) !== "untrusted");
}

/**
 * What a person is told about a client that the operator does not answer for. Its name and links
 * are its own choice.
 */
export interface UntrustedClientNotice {
  /** The host of the document that describes the client; undefined if it registered itself. */
  host?: string;
  /** Who receives what the person allows; empty if a device waits for it. */
  receivers: string[];
}

/**
 * The warning that belongs on every page that names an untrusted client (OAuth 2.1, section 7.9).
 */
export function untrustedClientNotice(
  { id, trusted }: Pick<Client, "id" | "trusted">,
  redirectUris: readonly string[],
): UntrustedClientNotice | undefined {
  if (trusted) return undefined;
  const host = isClientIdUrl(id, true) ? new URL(id).host : undefined;
  return { host, receivers: [...new Set(redirectUris.map(receiverOf))] };
}
