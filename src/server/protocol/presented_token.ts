import type { FormParameters } from "./form_parameters.ts";
import type { TokenScheme } from "./oauth_error.ts";
import { type ApplyRule, requirePresent, type Rule } from "./rule.ts";
import { type ChallengePolicy, challengesOf, withChallenges } from "./token_challenges.ts";

/** An access token, and the scheme that presented it. */
export interface PresentedToken {
  scheme: TokenScheme;
  token: string;
}

const about = { see: "OAuth 2.1, section 5.1", parameter: "Authorization" } as const;

/** How a request presents its token. */
interface TokenPresentation {
  scheme: TokenScheme | undefined;
  bodyToken: string | undefined;
  policy: ChallengePolicy;
  /** Whether the request has a token in its URI, where it is not read. */
  isInUri: boolean;
}

/** Without a token, the response is a bare challenge (OAuth 2.1, section 5.3.1). */
const tokenIsPresent: Rule<TokenPresentation> = {
  ...about,
  id: "token.sent",
  title: "The request presents an access token",
  error: "invalid_token",
  message: "Send an access token.",
  advice: "Send the access token in the Authorization header.",
  details: ({ policy }) => ({ challenges: challengesOf(policy), hasBody: false, see: undefined }),
  holds: ({ scheme, bodyToken }) => scheme !== undefined || bodyToken !== undefined,
  expected: () => "an access token in the Authorization header",
  came: ({ scheme, bodyToken, isInUri }) => {
    if (scheme !== undefined) return `the scheme ${scheme}`;
    if (bodyToken !== undefined) return "an access token in the body";
    return isInUri ? "one in the URI, which the server does not read" : "none";
  },
};

const tokenIsWellFormed: Rule<string | undefined> = {
  ...about,
  id: "token.form",
  title: "The Authorization header has a token after its scheme",
  error: "invalid_request",
  message: "The Authorization header has no valid token after its scheme.",
  advice: "Send the scheme, one space, and the access token as it was issued.",
  holds: (token) => token !== undefined,
};

const tokenIsPresentedOnce: Rule<TokenPresentation> = {
  ...about,
  id: "token.once",
  title: "The request presents its access token once",
  error: "invalid_request",
  message: "Send the access token in the header or in the body, not in both.",
  advice: "Send the access token only in the Authorization header.",
  holds: ({ bodyToken }) => bodyToken === undefined,
};

const schemeIsAccepted: Rule<TokenPresentation> = {
  ...about,
  id: "token.scheme",
  title: "The access token has an accepted scheme",
  error: "invalid_token",
  message: ({ policy }) =>
    `The access token must be presented under '${policy.schemes.join("' or '")}'.`,
  advice: "Use a scheme of the WWW-Authenticate header in the response.",
  holds: ({ scheme, policy }) => scheme !== undefined && policy.schemes.includes(scheme),
  expected: ({ policy }) => policy.schemes.join(" or "),
  came: ({ scheme }) => scheme ?? "none",
};

/** The scheme of a token, and the key that the token is bound to. */
interface SchemeOfToken {
  scheme: TokenScheme;
  jkt: string | undefined;
}

/** A downgrade would make the key worthless. */
const boundTokenIsNotBearer: Rule<SchemeOfToken> = {
  ...about,
  id: "token.downgrade",
  title: "The access token has the scheme 'DPoP', if it is bound to a key",
  see: "RFC 9449, section 7.2",
  error: "invalid_token",
  message: "The access token is bound to a key. Present it under 'DPoP', with a proof.",
  advice: "Send 'Authorization: DPoP' with the token, and a proof in the header 'DPoP'.",
  holds: ({ scheme, jkt }) => scheme !== "Bearer" || jkt === undefined,
};

const unboundTokenIsBearer: Rule<SchemeOfToken> = {
  ...about,
  id: "token.unbound",
  title: "The access token has the scheme 'Bearer', unless it is bound to a key",
  see: "RFC 9449, section 7.1",
  error: "invalid_token",
  message: "The access token is not bound to a key. Present it under 'Bearer'.",
  advice: "Send 'Authorization: Bearer' with the token.",
  holds: ({ scheme, jkt }) => scheme !== "DPoP" || jkt !== undefined,
};

/** Reads the access token from the header or a form, not from the URI (OAuth 2.1, section 5.1). */
export async function readPresentedToken(
  apply: ApplyRule,
  authorization: string | null,
  body: FormParameters | undefined,
  policy: ChallengePolicy,
  isInUri = false,
): Promise<PresentedToken> {
  const bodyToken = body?.get("access_token");
  const scheme = readScheme(authorization);
  const facts = { scheme, bodyToken, policy, isInUri };
  apply(tokenIsPresent, facts);
  if (scheme === undefined) return { scheme: "Bearer", token: bodyToken ?? "" };
  return await withChallenges(policy, scheme, () => {
    const [, token] = /^[a-z]+ +([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization ?? "") ?? [];
    const presented = { scheme, token: requirePresent(apply, tokenIsWellFormed, token) };
    apply(tokenIsPresentedOnce, facts);
    apply(schemeIsAccepted, facts);
    return presented;
  });
}

/** Reads the scheme of an access token, which is case-insensitive (RFC 9110, section 11.1). */
function readScheme(authorization: string | null): TokenScheme | undefined {
  // Untestable (the condition became false): the word null begins with neither scheme.
  if (authorization === null) return undefined;
  if (/^Bearer /i.test(authorization)) return "Bearer";
  return /^DPoP /i.test(authorization) ? "DPoP" : undefined;
}

/**
 * Checks that a token bound to a key is presented under DPoP, and any other under Bearer (RFC 9449,
 * section 7).
 */
export function checkScheme(apply: ApplyRule, scheme: TokenScheme, jkt: string | undefined): void {
  apply(boundTokenIsNotBearer, { scheme, jkt });
  apply(unboundTokenIsBearer, { scheme, jkt });
}
