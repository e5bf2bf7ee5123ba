import type { FormParameters } from "./form_parameters.ts";
import { type Challenge, errorFactory, OAuthError, type TokenScheme } from "./oauth_error.ts";

const section = "OAuth 2.1, section 5.1";
const invalidRequest = errorFactory("invalid_request", section);
const invalidToken = errorFactory("invalid_token");

/** An access token, and the scheme that presented it. */
export interface PresentedToken {
  scheme: TokenScheme;
  token: string;
}

/** How a protected resource wants access tokens to be presented. */
export interface ChallengePolicy {
  /** In the order of the challenges; that of a presented token comes first. */
  schemes: readonly TokenScheme[];
  /** The algorithms of DPoP proofs. */
  algs: readonly string[];
  /** Further parameters of every challenge. */
  members?: Record<string, string>;
}

/** Reads the access token from the header or a form, not from the URI (OAuth 2.1, section 5.1). */
export function readPresentedToken(
  authorization: string | null,
  body: FormParameters | undefined,
  policy: ChallengePolicy,
): PresentedToken {
  const bodyToken = body?.get("access_token");
  const scheme = readScheme(authorization);
  if (authorization === null || scheme === undefined) {
    if (bodyToken !== undefined) return { scheme: "Bearer", token: bodyToken };
    // Without a token, the response is a bare challenge (OAuth 2.1, section 5.3.1).
    const challenges = challengesOf(policy);
    throw invalidToken("Send an access token.", { challenges, hasBody: false });
  }
  const challenges = challengesOf(policy, scheme);
  const [, token] = /^[a-z]+ +([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization) ?? [];
  if (token === undefined) {
    throw invalidRequest(`The Authorization header has no valid token after '${scheme}'.`, {
      challenges,
    });
  }
  if (bodyToken !== undefined) {
    throw invalidRequest("Send the access token in the header or in the body, not in both.", {
      challenges,
    });
  }
  if (!policy.schemes.includes(scheme)) {
    const accepted = policy.schemes.join("' or '");
    throw invalidToken(`The access token must be presented under '${accepted}'.`, {
      see: section,
      challenges,
    });
  }
  return { scheme, token };
}

/** Reads the scheme of an access token, which is case-insensitive (RFC 9110, section 11.1). */
function readScheme(authorization: string | null): TokenScheme | undefined {
  if (authorization === null) return undefined;
  if (/^Bearer /i.test(authorization)) return "Bearer";
  return /^DPoP /i.test(authorization) ? "DPoP" : undefined;
}

/**
 * Checks that a token bound to a key is presented under DPoP, and any other under Bearer. A
 * downgrade would make the key worthless (RFC 9449, section 7.2).
 */
export function checkScheme(scheme: TokenScheme, jkt: string | undefined): void {
  if (scheme === "Bearer" && jkt !== undefined) {
    throw invalidToken(
      "The access token is bound to a key. Present it under 'DPoP', with a proof.",
      { see: "RFC 9449, section 7.2" },
    );
  }
  if (scheme === "DPoP" && jkt === undefined) {
    throw invalidToken("The access token is not bound to a key. Present it under 'Bearer'.", {
      see: "RFC 9449, section 7.1",
    });
  }
}

/** Runs `check` and adds challenges to its error (RFC 6750, section 3; RFC 9449, section 7.1). */
export async function withChallenges<T>(
  policy: ChallengePolicy,
  scheme: TokenScheme,
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check();
  } catch (cause) {
    if (!(cause instanceof OAuthError) || cause.status >= 500 || cause.challenges.length > 0) {
      throw cause;
    }
    throw new OAuthError(cause.code, cause.message, {
      ...cause,
      status: isProofError(cause) ? 401 : cause.status,
      challenges: challengesOf(policy, scheme),
      cause,
    });
  }
}

function isProofError({ code }: OAuthError): boolean {
  return code === "invalid_dpop_proof" || code === "use_dpop_nonce";
}

/**
 * Makes a challenge per scheme, that of the used scheme first. The error is in that one, or in all
 * if it is not accepted.
 */
function challengesOf(
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
