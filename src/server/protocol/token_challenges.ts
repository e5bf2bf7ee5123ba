import { type Challenge, OAuthError, type TokenScheme } from "./oauth_error.ts";

/** How a protected resource wants access tokens to be presented. */
export interface ChallengePolicy {
  /** In the order of the challenges; that of a presented token comes first. */
  schemes: readonly TokenScheme[];
  /** The algorithms of DPoP proofs. */
  algs: readonly string[];
  /** Further parameters of every challenge. */
  members?: Record<string, string>;
}

/** Adds challenges to what was thrown (RFC 6750, section 3; RFC 9449, section 7.1). */
export function withChallenges(
  policy: ChallengePolicy,
  scheme: TokenScheme,
  cause: unknown,
): unknown {
  if (!(cause instanceof OAuthError) || cause.status >= 500 || cause.challenges.length > 0) {
    return cause;
  }
  return new OAuthError(cause.code, cause.message, {
    ...cause,
    status: isProofError(cause) ? 401 : cause.status,
    challenges: challengesOf(policy, scheme),
    cause,
  });
}

function isProofError({ code }: OAuthError): boolean {
  return code === "invalid_dpop_proof" || code === "use_dpop_nonce";
}

/**
 * Makes a challenge per scheme, that of the used scheme first. The error is in that one, or in all
 * if it is not accepted.
 */
export function challengesOf(
  { schemes, algs, members }: ChallengePolicy,
  usedScheme?: TokenScheme,
): Challenge[] {
  const namesError = (scheme: TokenScheme) =>
    usedScheme !== undefined && (scheme === usedScheme || !schemes.includes(usedScheme));
  // Some clients read the first challenge alone.
  const sorted = schemes.toSorted((a, b) => Number(b === usedScheme) - Number(a === usedScheme));
  return sorted.map((scheme) => ({
    scheme,
    members: { ...members, ...scheme === "DPoP" && { algs: algs.join(" ") } },
    namesError: namesError(scheme),
  }));
}
