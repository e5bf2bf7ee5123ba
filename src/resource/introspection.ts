import type { JWTPayload } from "jose";
import type { ReadToken } from "./jwt_access_token.ts";
import { type FormBody, type OutboundClient, query } from "./outbound_client.ts";
import { type ClientPrivateKey, createAssertionFactory } from "./private_key_jwt.ts";

/** As whom an API asks; it authenticates with a secret, or with a private key. */
export interface IntrospectionConfig extends Partial<ClientPrivateKey> {
  /** The `client_id` of the API. */
  clientId: string;
  /** Sent by HTTP Basic (`client_secret_basic`). */
  clientSecret?: string;
  /** Default: what the server's metadata says. */
  endpoint?: string;
}

/** Whom to ask about a token, and as whom. */
export interface IntrospectionServer {
  issuer: string;
  introspection: IntrospectionConfig;
  endpoint: () => Promise<string>;
  outside: OutboundClient;
}

/** Asks the server what a token is worth (RFC 7662). Nothing is kept: what was revoked is worth nothing at once. */
export function readByIntrospection(
  { issuer, introspection, endpoint, outside: client }: IntrospectionServer,
): ReadToken {
  const authenticate = authenticationOf(introspection, issuer, client.now);
  return async (token) => {
    const form = await authenticate({ token, token_type_hint: "access_token" });
    const { active, ...claims } = await query(client, { at: [await endpoint()], form });
    return active === true && isOf(claims, issuer) && !hasExpired(claims, client.now())
      ? claims
      : undefined;
  };
}

/** Puts the proof of who asks to what is asked. */
type AuthenticateClient = (fields: Record<string, string>) => Promise<FormBody>;

function authenticationOf(
  introspection: IntrospectionConfig,
  issuer: string,
  now: () => number,
): AuthenticateClient {
  const { clientId, clientSecret, privateKey, kid, alg } = introspection;
  if (clientSecret !== undefined && privateKey === undefined) {
    const authorization = basic(clientId, clientSecret);
    return async (fields) => ({ fields, authorization });
  }
  if (privateKey !== undefined && clientSecret === undefined) {
    const prove = createAssertionFactory({ privateKey, kid, alg }, { clientId, issuer, now });
    return async (fields) => ({ fields: { ...fields, ...await prove() } });
  }
  throw new TypeError(
    `The introspection at ${issuer} needs either a 'clientSecret' or a 'privateKey'.`,
  );
}

function isOf({ iss }: JWTPayload, issuer: string): boolean {
  return iss === undefined || iss === issuer;
}

function hasExpired({ exp }: JWTPayload, now: number): boolean {
  return exp !== undefined && !(exp * 1000 > now);
}

/** The id and the secret are form-encoded before they are joined (OAuth 2.1, section 2.4.1). */
function basic(clientId: string, clientSecret: string): string {
  return `Basic ${btoa([clientId, clientSecret].map(encodeURIComponent).join(":"))}`;
}
