import type { FormParameters } from "./form_parameters.ts";
import { type Challenge, OAuthError, type TokenScheme } from "./oauth_error.ts";
import { type ApplyRule, requirePresent, ruleSet } from "./rule.ts";

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

interface TokenPresentation {
  scheme: TokenScheme | undefined;
  bodyToken: string | undefined;
  policy: ChallengePolicy;
  /** Whether the request has a token in its URI, where it is not read. */
  isInUri: boolean;
}

/** The scheme of a token, and the key that the token is bound to. */
interface SchemeOfToken {
  scheme: TokenScheme;
  jkt: string | undefined;
}

const about = {
  see: "OAuth 2.1, section 5.1",
  parameter: "Authorization",
  error: "invalid_token",
} as const;

const tokenRules = ruleSet("token", about, {
  // Without a token, the response is a bare challenge (OAuth 2.1, section 5.3.1).
  sent: {
    title: "The request must have an access token in the Authorization header",
    details: ({ policy }) => ({ challenges: challengesOf(policy), hasBody: false, see: undefined }),
    holds: ({ scheme, bodyToken }: TokenPresentation) =>
      scheme !== undefined || bodyToken !== undefined,
    received: ({ scheme, bodyToken, isInUri }) => {
      if (scheme !== undefined) return `the scheme ${scheme}`;
      if (bodyToken !== undefined) return "an access token in the body";
      return isInUri ? "one in the URI, which the server does not read" : "none";
    },
  },
  form: {
    error: "invalid_request",
    title: "The Authorization header must have a valid token after its scheme",
    fix: "Send the scheme, one space, and the access token as it was issued.",
  },
  once: {
    error: "invalid_request",
    title: "The access token must be in the header or in the body, not in both",
    fix: "Send the access token only in the Authorization header.",
    holds: ({ bodyToken }: TokenPresentation) => bodyToken === undefined,
  },
  scheme: {
    title: "The access token must have an accepted scheme",
    message: ({ policy }) =>
      `The access token must have the scheme '${policy.schemes.join("' or '")}'.`,
    holds: ({ scheme, policy }: TokenPresentation) =>
      scheme !== undefined && policy.schemes.includes(scheme),
    expected: ({ policy }) => policy.schemes.join(" or "),
    received: ({ scheme }) => scheme ?? "none",
  },
  // A downgrade would make the key worthless.
  downgrade: {
    see: "RFC 9449, section 7.2",
    title: "An access token that is bound to a key must have the scheme 'DPoP'",
    fix: "Send 'Authorization: DPoP' with the token, and a proof in the header 'DPoP'.",
    holds: ({ scheme, jkt }: SchemeOfToken) => scheme !== "Bearer" || jkt === undefined,
  },
  unbound: {
    see: "RFC 9449, section 7.1",
    title: "An access token that is bound to no key must have the scheme 'Bearer'",
    holds: ({ scheme, jkt }: SchemeOfToken) => scheme !== "DPoP" || jkt !== undefined,
  },
});

/** Reads the access token from the header or a form, not from the URI (OAuth 2.1, section 5.1). */
export function readPresentedToken(
  apply: ApplyRule,
  authorization: string | null,
  body: FormParameters | undefined,
  policy: ChallengePolicy,
  isInUri = false,
): PresentedToken {
  const bodyToken = body?.get("access_token");
  const scheme = readScheme(authorization);
  const facts = { scheme, bodyToken, policy, isInUri };
  apply(tokenRules.sent, facts);
  if (scheme === undefined) return { scheme: "Bearer", token: bodyToken ?? "" };
  try {
    const [, token] = /^[a-z]+ +([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization ?? "") ?? [];
    const presented = { scheme, token: requirePresent(apply, tokenRules.form, token) };
    apply(tokenRules.once, facts);
    apply(tokenRules.scheme, facts);
    return presented;
  } catch (cause) {
    throw withChallenges(policy, scheme, cause);
  }
}

/**
 * Checks that a token bound to a key is presented under DPoP, and any other under Bearer (RFC 9449,
 * section 7).
 */
export function checkScheme(apply: ApplyRule, scheme: TokenScheme, jkt: string | undefined): void {
  apply(tokenRules.downgrade, { scheme, jkt });
  apply(tokenRules.unbound, { scheme, jkt });
}

/** Adds challenges to what was thrown (RFC 6750, section 3; RFC 9449, section 7.1). */
export function withChallenges(
  policy: ChallengePolicy,
  scheme: TokenScheme,
  cause: unknown,
): unknown {
  if (!(cause instanceof OAuthError) || cause.status >= 500 || cause.details.challenges) {
    return cause;
  }
  return new OAuthError(cause.code, cause.message, {
    ...cause.details,
    status: isProofError(cause) ? 401 : cause.status,
    challenges: challengesOf(policy, scheme),
    cause,
  });
}

/** Reads the scheme of an access token, which is case-insensitive (RFC 9110, section 11.1). */
function readScheme(authorization: string | null): TokenScheme | undefined {
  if (authorization === null) return undefined;
  if (/^Bearer /i.test(authorization)) return "Bearer";
  return /^DPoP /i.test(authorization) ? "DPoP" : undefined;
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
