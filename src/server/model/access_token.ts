import type { ClientReference } from "./client.ts";

/** One entry of `authorization_details` (RFC 9396, section 2). */
export interface AuthorizationDetail {
  /** The type, which decides what the other members mean. */
  type: string;
  /** The members of the type. */
  [member: string]: unknown;
}

/** What a token allows. */
export interface AccessRights {
  scope: string[];
  /** Where it is allowed. An empty list means the default resource. */
  resources: string[];
  /** What a scope cannot express (RFC 9396). */
  authorizationDetails?: AuthorizationDetail[] | undefined;
}

/**
 * An API that tokens may be meant for. What is undefined is as the client and the server have it.
 */
export interface Resource {
  /** A URI, or a name that no request can put into the parameter `resource`. */
  uri: string;
  /** The scopes that its tokens may have. Undefined allows every scope. */
  scopes?: readonly string[];
  accessTokenFormat?: "jwt" | "opaque";
  accessTokenType?: "at+jwt" | "JWT";
  /** In seconds. It cannot exceed the lifetime that the server has for access tokens. */
  accessTokenLifetime?: number | undefined;
  partialConsent?: boolean;
}

/** The resources that tokens may be meant for: those that are configured, or any. */
export type AcceptedResources = { only: readonly Resource[] } | "any";

/** The keys that tokens are bound to: the sender of a token has to prove each. */
export interface BoundKeys {
  /** The thumbprint of the key that signs DPoP proofs (RFC 9449). */
  jkt?: string | undefined;
  /** The SHA-256 of the certificate of the connection (RFC 8705). */
  certificateThumbprint?: string | undefined;
}

/** The claims of an access token (RFC 9068, section 2.2), whether it is a JWT or opaque. */
export interface AccessTokenClaims {
  iss: string;
  sub: string;
  aud: string | string[];
  client_id: string;
  scope: string;
  /** In seconds, as all times in tokens. */
  iat: number;
  exp: number;
  jti: string;
  auth_time?: number | undefined;
  /** The keys that the token is bound to (RFC 9449, section 6.1; RFC 8705, section 3.1). */
  cnf?: { jkt?: string | undefined; "x5t#S256"?: string | undefined } | undefined;
  /** What was allowed beyond scopes (RFC 9396, section 9.1). */
  authorization_details?: AuthorizationDetail[] | undefined;
  acr?: string | undefined;
  /** The party that acts for the subject, if it is another one (RFC 8693, section 4.1). */
  act?: Actor | undefined;
  /** The only party that may act for the subject (RFC 8693, section 4.4). */
  may_act?: Record<string, unknown>;
  /**
   * The clients that exchanged a token for the next one, in order. Only this server reads them: the
   * token ends with any of them.
   */
  exchanged_by?: ExchangingClient[] | undefined;
}

/** A client that exchanged a token, as the issued token names it. */
export interface ExchangingClient {
  client_id: string;
  client_epoch?: string;
}

/** The party that acts for the subject of a token, with those that acted before it. */
export interface Actor {
  sub: string;
  act?: Actor;
}

/**
 * The `typ` of an access token. `at+jwt` distinguishes it from every other JWT (RFC 9068, section
 * 2.1); some APIs take `JWT` only.
 */
export type AccessTokenType = "at+jwt" | "JWT";

/** Every `typ` that an access token can have. */
export const accessTokenTypes: readonly AccessTokenType[] = ["at+jwt", "JWT"];

export function listAudiences({ aud }: AccessTokenClaims): readonly string[] {
  return typeof aud === "string" ? [aud] : aud;
}

/** Whether the audience of a token contains a resource. */
export function isMeantFor({ aud }: { aud: string | string[] }, resource: string): boolean {
  return typeof aud === "string" ? aud === resource : aud.includes(resource);
}

/** Returns the clients that exchanged a token, in order. */
export function exchangedBy({ exchanged_by = [] }: AccessTokenClaims): ClientReference[] {
  return exchanged_by.map(({ client_id, client_epoch }) => ({
    clientId: client_id,
    clientEpoch: client_epoch,
  }));
}

/** Returns the claim that names the clients of an exchanged token, in order. */
export function exchangedByClaim(clients: readonly ClientReference[]): ExchangingClient[] {
  return clients.map(({ clientId, clientEpoch }) => ({
    client_id: clientId,
    ...clientEpoch !== undefined && { client_epoch: clientEpoch },
  }));
}
