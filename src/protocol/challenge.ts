/** The ways to present an access token (RFC 6750; RFC 9449, section 7.1). */
export type TokenScheme = "Bearer" | "DPoP";

/** How a refused caller may authenticate (RFC 9110, section 11.6.1). */
export interface Challenge {
  scheme: "Basic" | TokenScheme;
  /** Further members, such as `scope` or `algs`. */
  members?: Record<string, string>;
  /** Whether the error is named. A request that brought no token at all is told of none (OAuth 2.1, section 5.3.1). */
  namesError: boolean;
}

/** Every refusal of a client names Basic (OAuth 2.1, section 3.2.4). */
export const basicChallenge: Challenge = {
  scheme: "Basic",
  members: { charset: "UTF-8" },
  namesError: false,
};

/** Writes a challenge as the value of `WWW-Authenticate`. */
export function formatChallenge(
  { scheme, members, namesError }: Challenge,
  realm: string,
  error: Record<string, string>,
): string {
  const all = { realm, ...members, ...namesError ? error : {} };
  return `${scheme} ${
    Object.entries(all).map(([name, value]) => `${name}="${value.replace(/["\\]/g, "\\$&")}"`).join(
      ", ",
    )
  }`;
}
