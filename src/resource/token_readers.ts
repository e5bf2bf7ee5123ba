import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import { OutboundError } from "../server/http/outbound_fetch.ts";
import { type AccessTokenType, accessTokenTypes } from "../server/model/access_token.ts";
import { isJwtType } from "../server/protocol/jwt.ts";
import type { CachedValue } from "./cached_value.ts";
import { fetchJson, type FormBody, type OutboundClient } from "./outbound_client.ts";
import { type ClientPrivateKey, createAssertionFactory } from "./private_key_jwt.ts";

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

/** A server refuses a longer form, which would look as if it were down. In characters. */
const maxTokenLength = 32 * 1024;

/** Returns the claims of a token if it is valid. */
export type TokenReader = (token: string) => Promise<JWTPayload | undefined>;

/** What the tokens of a server must match. */
interface JwtVerification {
  issuer: string;
  keys: CachedValue<JSONWebKeySet>;
  now: () => number;
  /** In seconds. */
  clockTolerance: number;
  tokenType: AccessTokenType;
}

/** How an API introspects tokens. It authenticates with a secret or with a private key. */
export interface IntrospectionConfig extends Partial<ClientPrivateKey> {
  /** The `client_id` of the API. */
  clientId: string;
  /** The secret for HTTP Basic (`client_secret_basic`). */
  clientSecret?: string;
  /**
   * The URL of the endpoint.
   *
   * @default the one in the server's metadata
   */
  endpoint?: string;
}

interface IntrospectionServer extends Pick<JwtVerification, "issuer" | "clockTolerance"> {
  introspection: IntrospectionConfig;
  endpoint: () => Promise<string>;
  client: OutboundClient;
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

/**
 * Creates a reader that introspects every token (RFC 7662). Responses are not cached, so a
 * revocation has effect at once.
 */
export function createIntrospectionReader(
  { issuer, clockTolerance, introspection, endpoint, client }: IntrospectionServer,
): TokenReader {
  const { now } = client;
  const authenticate = createAuthenticator(introspection, issuer, now);
  return async (token) => {
    if (token.length > maxTokenLength) return undefined;
    const form = await authenticate({ token, token_type_hint: "access_token" });
    const url = await endpoint();
    const { active, ...claims } = await fetchJson(client, { url, form, read: (json) => json });
    const isValid = active === true && hasIssuer(claims, issuer) && !hasExpired(claims, now()) &&
      hasBegun(claims, now() / 1000 + clockTolerance);
    return isValid ? claims : undefined;
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

function createAuthenticator(
  introspection: IntrospectionConfig,
  issuer: string,
  now: () => number,
): (fields: Record<string, string>) => Promise<FormBody> {
  const { clientId, clientSecret, privateKey, kid, alg } = introspection;
  if (clientSecret !== undefined && privateKey === undefined) {
    // The id and the secret are form-encoded before they are joined (OAuth 2.1, section 2.4.1).
    const authorization = `Basic ${
      btoa([clientId, clientSecret].map(encodeURIComponent).join(":"))
    }`;
    return async (fields) => ({ fields, authorization });
  }
  if (privateKey !== undefined && clientSecret === undefined) {
    const key = { privateKey, kid, alg };
    const createAssertion = createAssertionFactory(key, { clientId, issuer, now });
    return async (fields) => ({ fields: { ...fields, ...await createAssertion() } });
  }
  throw new TypeError(
    `The introspection at ${issuer} needs either a 'clientSecret' or a 'privateKey'.`,
  );
}

function hasIssuer({ iss }: JWTPayload, issuer: string): boolean {
  return iss === undefined || iss === issuer;
}

function hasExpired({ exp }: JWTPayload, now: number): boolean {
  return exp !== undefined && !(exp * 1000 > now);
}

/** Whether a token is valid by a time in seconds (RFC 7662, section 2.2). */
function hasBegun({ nbf }: JWTPayload, latest: number): boolean {
  return nbf === undefined || nbf <= latest;
}
