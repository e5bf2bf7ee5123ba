import { redirectUriProblem } from "./redirect_uri.ts";

/** Says what is wrong with a URI at which a client is told of a sign-out, or nothing (OpenID Connect Back-Channel Logout, section 2.2). */
export function logoutUriProblem(uri: string, allowHttp = false): string | undefined {
  const problem = redirectUriProblem(uri, allowHttp);
  if (problem) return problem;
  return /^https?:/i.test(uri) ? undefined : "is not an https URL";
}

/** The same for one that is shown in a frame: it stands where one of the redirect URIs stands (Front-Channel Logout, section 2). */
export function frontchannelLogoutUriProblem(
  uri: string,
  redirectUris: readonly string[],
  allowHttp = false,
): string | undefined {
  const problem = logoutUriProblem(uri, allowHttp);
  if (problem) return problem;
  const origins = redirectUris.filter((each) => URL.canParse(each)).map((each) =>
    new URL(each).origin
  );
  return origins.includes(new URL(uri).origin)
    ? undefined
    : "has another origin than every redirect URI of the client";
}
