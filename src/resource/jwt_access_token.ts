import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import { OutboundError } from "../server/http/outbound_fetch.ts";
import { type AccessTokenType, accessTokenTypes } from "../server/model/access_token.ts";
import { isJwtType } from "../server/protocol/jwt.ts";
import type { CachedValue } from "./cached_value.ts";

/** Asymmetric only: with a symmetric one, every verifier could sign (RFC 8725, section 3.1). */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** Returns the claims of a token if it is valid. */
export type TokenReader = (token: string) => Promise<JWTPayload | undefined>;

/** What the tokens of a server must match. */
export interface JwtVerification {
  issuer: string;
  keys: CachedValue<JSONWebKeySet>;
  now: () => number;
  /** In seconds. */
  clockTolerance: number;
  tokenType: AccessTokenType;
}

/** Creates a reader of JWT access tokens (RFC 9068, section 4). */
export function createJwtReader(verification: JwtVerification): TokenReader {
  const { keys } = verification;
  return async (token) => {
    try {
      return await verify(verification, token, await keys.get());
    } catch (cause) {
      // The key may be newer than the cached key set.
      if (!(cause instanceof errors.JWKSNoMatchingKey)) return ignoreUnlessOutbound(cause);
      const renewed = await keys.renew();
      return await verify(verification, token, renewed).catch(ignoreUnlessOutbound);
    }
  };
}

async function verify(
  { issuer, now, clockTolerance, tokenType }: JwtVerification,
  token: string,
  keys: JSONWebKeySet,
): Promise<JWTPayload | undefined> {
  const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keys), {
    issuer,
    algorithms,
    currentDate: new Date(now()),
    clockTolerance,
    requiredClaims: ["exp", "sub", "client_id", "iat", "jti"],
  });
  // `at+jwt` is the stricter type. With `JWT`, the `client_id` tells it from an ID token.
  const allowed = tokenType === "JWT" ? accessTokenTypes : ["at+jwt"];
  return isJwtType(protectedHeader.typ, allowed) ? payload : undefined;
}

/** Treats an error as an invalid token, unless the keys could not be fetched. */
function ignoreUnlessOutbound(cause: unknown): undefined {
  if (cause instanceof OutboundError) throw cause;
}
