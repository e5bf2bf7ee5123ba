import { redirectUriProblem } from "./redirect_uri.ts";

/** Returns why a logout URI is invalid, or undefined (Back-Channel Logout, section 2.2). */
export function logoutUriProblem(uri: string, allowHttp = false): string | undefined {
  const problem = redirectUriProblem(uri, allowHttp);
  if (problem) return problem;
  return /^https?:/i.test(uri) ? undefined : "is not an https URL";
}

/**
 * Returns why a front-channel logout URI is invalid, or undefined. It must have the origin of a
 * redirect URI (OpenID Connect Front-Channel Logout, section 2).
 */
export function frontchannelLogoutUriProblem(
  uri: string,
  redirectUris: readonly string[],
  allowHttp = false,
): string | undefined {
  const problem = logoutUriProblem(uri, allowHttp);
  if (problem) return problem;
  const validUris = redirectUris.filter((each) => URL.canParse(each));
  const { origin } = new URL(uri);
  if (validUris.some((each) => new URL(each).origin === origin)) return undefined;
  return "does not have the origin of a redirect URI of the client";
}
