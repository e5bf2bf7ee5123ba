import type { Challenge, TokenScheme } from "./challenge.ts";
import type { FormParameters } from "./form_parameters.ts";
import { errorFactory, OAuthError } from "./oauth_error.ts";

const section = "OAuth 2.1, section 5.1";
const invalidRequest = errorFactory("invalid_request", section);
const invalidToken = errorFactory("invalid_token");

/** An access token, and the scheme it came under. */
export interface PresentedToken {
  scheme: TokenScheme;
  token: string;
}

/** How a protected resource wants its tokens to be presented. */
export interface ChallengePolicy {
  /** The first one is the one that is named first. */
  schemes: readonly TokenScheme[];
  /** The algorithms of DPoP proofs. */
  algs: readonly string[];
  /** What every challenge says besides. */
  members?: Record<string, string>;
}

/** Reads the access token of a request: from the header or a form body, never from the URI (OAuth 2.1, section 5.1). */
export function readPresentedToken(
  authorization: string | null,
  body: FormParameters | undefined,
  policy: ChallengePolicy,
): PresentedToken {
  const inBody = body?.get("access_token");
  const scheme = readScheme(authorization) ?? (inBody === undefined ? undefined : "Bearer");
  const challenges = challengesOf(policy, scheme);
  if (scheme === undefined) {
    throw invalidToken("Send an access token.", { challenges, hasBody: false });
  }
  if (readScheme(authorization) === undefined) return { scheme, token: inBody! };
  const [, token] = /^[a-z]+ +([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization!) ?? [];
  if (token === undefined) {
    throw invalidRequest(`The Authorization header does not hold a token after '${scheme}'.`, {
      challenges,
    });
  }
  if (inBody !== undefined) {
    throw invalidRequest("Send an access token in the header or in the body, not in both.", {
      challenges,
    });
  }
  if (!policy.schemes.includes(scheme)) {
    throw invalidToken(`An access token is presented under '${policy.schemes[0]}' here.`, {
      see: section,
      challenges,
    });
  }
  return { scheme, token };
}

/** Any other scheme is no token (RFC 9110, section 11.1: schemes are known in any case). */
function readScheme(authorization: string | null): TokenScheme | undefined {
  if (authorization !== null && /^Bearer /i.test(authorization)) return "Bearer";
  return authorization !== null && /^DPoP /i.test(authorization) ? "DPoP" : undefined;
}

/** A token that is bound to a key is used under DPoP, any other under Bearer: a downgrade would make the key worthless (RFC 9449, section 7.2). */
export function checkScheme(scheme: TokenScheme, jkt: string | undefined): void {
  if (scheme === "Bearer" && jkt !== undefined) {
    throw tokenError(
      "invalid_token",
      "The access token is bound to a key: present it under 'DPoP', with a proof.",
      "RFC 9449, section 7.2",
    );
  }
  if (scheme === "DPoP" && jkt === undefined) {
    throw tokenError(
      "invalid_token",
      "The access token is bound to no key: present it under 'Bearer'.",
      "RFC 9449, section 7.1",
    );
  }
}

/** Runs the checks of a token; whoever is refused is told how to present one (RFC 6750, section 3; RFC 9449, section 7.1). */
export async function challengeErrors<T>(
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
    const status = isAboutProof(cause) ? 401 : cause.status;
    throw new OAuthError(cause.code, cause.message, {
      ...cause,
      status,
      challenges: challengesOf(policy, scheme),
      cause,
    });
  }
}

export function tokenError(
  code: "invalid_token" | "insufficient_scope",
  message: string,
  see: string,
  hint?: string,
): OAuthError {
  return new OAuthError(code, message, { see, hint });
}

function isAboutProof({ code }: OAuthError): boolean {
  return code === "invalid_dpop_proof" || code === "use_dpop_nonce";
}

/** The scheme that was used is told the error; where it is none of those that are wanted, all of them are. */
function challengesOf(
  { schemes, algs, members }: ChallengePolicy,
  used?: TokenScheme,
): Challenge[] {
  const told = schemes.filter((scheme) => scheme === used);
  return schemes.map((scheme) => ({
    scheme,
    members: { ...members, ...scheme === "DPoP" && { algs: algs.join(" ") } },
    namesError: used !== undefined && (told.length === 0 || told.includes(scheme)),
  }));
}
