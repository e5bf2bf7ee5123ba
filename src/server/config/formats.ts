import { isServerClaim } from "../model/claims.ts";
import { redirectUriProblem } from "../protocol/redirect_uri.ts";
import { isAudience, isResourceUri } from "../protocol/resource.ts";
import { isScopeToken } from "../protocol/scope.ts";
import { parseNetwork } from "../util/addresses/network.ts";
import { isSecureUrl, isWebUrl } from "../util/addresses/uri.ts";
import { isReadable } from "../util/text/user_text.ts";

/** What the subjects of all workloads begin with. No user and no client has such an identifier. */
export const workloadPrefix = "workload:";

const maxNameLength = 200;
const minSecretLength = 32;

/** Returns why a string does not have a format, or undefined. */
type FormatProblem = (text: string) => string | undefined;

export const formatProblems = {
  acr: where((text) => /^[\x21-\x7e]+$/.test(text), "visible ASCII characters without spaces"),
  audience: where(isAudience, "an absolute URI without a fragment, or a name without spaces"),
  claim: (text) =>
    isServerClaim(text)
      ? `is '${text}', which the server sets itself; only claims about the user can be opened`
      : undefined,
  color: where((text) => /^#[0-9a-f]{6}$/i.test(text), "a color as '#rrggbb'"),
  "client-id": where(
    (text) => /^[\x20-\x7e]{1,255}$/.test(text),
    "up to 255 printable ASCII characters",
  ),
  "display-name": displayNameProblem,
  "endpoint-path": where(isEndpointPath, "a path such as '/oauth/token'"),
  // Http on loopback is for tests; the creator of the client knows whether this is one.
  "https-url": where(
    (text) => isResourceUri(text) && isSecureUrl(text),
    "an https URL without a fragment",
  ),
  link: where(
    (text) => isWebUrl(text) || /^mailto:[^\s@]+@[^\s@]+$/.test(text),
    "a URL without a fragment, or a mailto: address",
  ),
  network: where(
    (text) => parseNetwork(text) !== undefined,
    "an IP address or a network such as 10.0.0.0/8, not a name",
  ),
  path: where((text) => text.startsWith("/"), "a path that begins with '/'"),
  "redirect-uri": (text) => redirectUriProblem(text),
  scope: where(isScopeToken, "a scope token (RFC 6749, section 3.3)"),
  secret: (text) =>
    text.length >= minSecretLength
      ? undefined
      : `must have at least ${minSecretLength} characters; create one with: ` +
        "openssl rand -base64 32",
  subject: where(isSubject, "up to 255 visible ASCII characters"),
  uri: where(isResourceUri, "an absolute URI without a fragment"),
  url: where(isWebUrl, "a URL without a fragment"),
} satisfies Record<string, FormatProblem>;

/** What a string in a configuration can be required to be. */
export type Format = keyof typeof formatProblems;

/** Whether a text can be the `sub` of a user (OpenID Connect Core, section 2). */
export function isSubject(text: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(text);
}

/** A path that every client sends unchanged: one that needs no encoding and is not normalized. */
function isEndpointPath(text: string): boolean {
  return /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+\/?$/.test(text);
}

function where(holds: (text: string) => boolean, expected: string): FormatProblem {
  return (text) => holds(text) ? undefined : `must be ${expected}`;
}

/** Users read it on our pages, so it must not hide or reverse the text next to it. */
function displayNameProblem(text: string): string | undefined {
  if (text.length > maxNameLength) return `has more than ${maxNameLength} characters`;
  return isReadable(text) ? undefined : "has control characters or invisible ones";
}
