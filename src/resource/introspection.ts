import type { JWTPayload } from "jose";
import type { TokenReader } from "./jwt_access_token.ts";
import { fetchJson, type FormBody, type OutboundClient } from "./outbound_client.ts";
import { type ClientPrivateKey, createAssertionFactory } from "./private_key_jwt.ts";

/** A server refuses a longer form, which would look as if it were down. In characters. */
const maxTokenLength = 32 * 1024;

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

/** A server that introspects tokens. */
export interface IntrospectionServer {
  issuer: string;
  introspection: IntrospectionConfig;
  endpoint: () => Promise<string>;
  client: OutboundClient;
}

/** Adds the credentials of the client to a form. */
type AuthenticateForm = (fields: Record<string, string>) => Promise<FormBody>;

/**
 * Creates a reader that introspects every token (RFC 7662). Responses are not cached, so a
 * revocation has effect at once.
 */
export function createIntrospectionReader(
  { issuer, introspection, endpoint, client }: IntrospectionServer,
): TokenReader {
  const { now } = client;
  const authenticate = createAuthenticator(introspection, issuer, now);
  return async (token) => {
    if (token.length > maxTokenLength) return undefined;
    const form = await authenticate({ token, token_type_hint: "access_token" });
    const url = await endpoint();
    const { active, ...claims } = await fetchJson(client, { url, form, read: (json) => json });
    const isValid = active === true && hasIssuer(claims, issuer) && !hasExpired(claims, now());
    return isValid ? claims : undefined;
  };
}

function createAuthenticator(
  introspection: IntrospectionConfig,
  issuer: string,
  now: () => number,
): AuthenticateForm {
  const { clientId, clientSecret, privateKey, kid, alg } = introspection;
  if (clientSecret !== undefined && privateKey === undefined) {
    const authorization = basicAuthorization(clientId, clientSecret);
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

/** Form-encodes the id and the secret before they are joined (OAuth 2.1, section 2.4.1). */
function basicAuthorization(clientId: string, clientSecret: string): string {
  return `Basic ${btoa([clientId, clientSecret].map(encodeURIComponent).join(":"))}`;
}
