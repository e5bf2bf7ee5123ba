import { signWithAttackerKey } from "./jwt_forgery.ts";

/** The issuer of claims about a user, which issues no ID tokens. */
const claimsIssuer = "https://claims.example";

/** Claims that another issuer made, beside those of the server. */
export interface ReferencedClaims {
  /** The source of each claim. */
  _claim_names: Record<string, string>;
  /** The sources, by their names. */
  _claim_sources: Record<string, Record<string, string>>;
}

/** Returns a claim that is included in a JWT (OpenID Connect Core, section 5.6.2.1). */
export async function aggregatedClaims(sub: unknown): Promise<ReferencedClaims> {
  const claims = { iss: claimsIssuer, sub, shoe_size: 42 };
  const jwt = await signWithAttackerKey({ header: { alg: "RS256", kid: "claims" }, claims });
  return { _claim_names: { shoe_size: "src1" }, _claim_sources: { src1: { JWT: jwt } } };
}

/** Returns a claim that has to be fetched (OpenID Connect Core, section 5.6.2.2). */
export function distributedClaims(): ReferencedClaims {
  const source = { endpoint: `${claimsIssuer}/claims`, access_token: "a-token-of-the-source" };
  return { _claim_names: { credit_score: "src1" }, _claim_sources: { src1: source } };
}
