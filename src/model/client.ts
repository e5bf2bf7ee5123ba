import type { JWK } from "jose";
import type { SigningAlgorithm } from "./signing.ts";

/** How a client authenticates at the endpoints that require it (OAuth 2.1, section 2.4). */
export type ClientAuthenticationMethod =
  | "client_secret_basic"
  | "client_secret_post"
  | "client_secret_jwt"
  | "private_key_jwt"
  | "none";

export const clientAuthenticationMethods: readonly ClientAuthenticationMethod[] = [
  "client_secret_basic",
  "client_secret_post",
  "client_secret_jwt",
  "private_key_jwt",
  "none",
];

/** A registered application. */
export interface Client {
  id: string;
  name: string;
  /** The ways in which the client may authenticate. */
  authentication: ClientAuthenticationMethod[];
  /** SHA-256 of the secret, in base64url. */
  secretHash?: string;
  /** Whether the secret is too long to be guessed: those that we make are. */
  hasLongSecret?: boolean;
  /** The secret itself, sealed where it is stored: the HMAC of `client_secret_jwt` needs it. No other client has one. */
  encryptedSecret?: string;
  /** The keys with which it signs what it sends. */
  jwks?: { keys: JWK[] };
  /** Where those keys are found, if they may change. */
  jwksUri?: string;
  /** The algorithm of its assertions; any that its keys allow, where it names none. */
  authenticationAlg?: string;
  /** What the `aud` of its assertions must be (RFC 7523bis asks for the issuer). */
  assertionAudience: "issuer" | "token-endpoint";
  redirectUris: string[];
  grantTypes: string[];
  /** What it may ask for. */
  scopes: string[];
  /** What it gets when it asks for nothing in particular. */
  defaultScope: string[];
  /** Runs on the user's own machine: any port of its loopback URIs, and the user is asked each time. */
  native: boolean;
  pkce: "required" | "optional";
  redirectUriAtToken: "required" | "if-present";
  responseModes: ResponseMode[];
  rememberConsent: boolean;
  /** Whose tokens introspection shows it: its own and those meant for its resources, or everybody's. */
  introspect: "own" | "any";
  /** The resources that it serves: introspection shows it tokens meant for them. */
  resources: string[];
  /** The resources that it may ask tokens for; undefined allows every resource of the server. */
  allowedResources?: string[];
  accessTokenFormat: "jwt" | "opaque";
  idTokenAlg?: SigningAlgorithm;
  /** Signs userinfo, which is plain JSON otherwise. */
  userinfoAlg?: SigningAlgorithm;
  /** Signs introspection responses where a JWT is asked for (RFC 9701). */
  introspectionAlg?: SigningAlgorithm;
  /** Signs authorization responses in one of the `jwt` response modes (JARM). */
  authorizationResponseAlg?: SigningAlgorithm;
  /** The algorithm of its request objects (RFC 9101). */
  requestObjectAlg?: string;
  /** Whether its authorization requests must be signed. */
  requireSignedRequest: boolean;
  /** Whether its authorization requests must be pushed first (RFC 9126). */
  requirePar: boolean;
  /** Whether its tokens must be bound to a key (RFC 9449). */
  dpop: "required" | "optional";
  subjectType: "public" | "pairwise";
  /** The host that decides which clients share pairwise subjects (OpenID Connect Core, section 8.1). */
  sector: string;
  postLogoutRedirectUris: string[];
  backchannelLogoutUri?: string;
  frontchannelLogoutUri?: string;
  /** The oldest sign-in that will do where a request does not say, in seconds. */
  defaultMaxAge?: number;
  defaultAcrValues: string[];
  /** What kinds of `authorization_details` it may ask for (RFC 9396). */
  authorizationDetailsTypes: string[];
  /** What it may exchange tokens for; nothing, where there is no policy. */
  tokenExchange?: TokenExchangePolicy;
  /** What people can read about it. */
  clientUri?: string;
  logoUri?: string;
  policyUri?: string;
  tosUri?: string;
  contacts: string[];
  initiateLoginUri?: string;
  /**
   * Whether the operator answers for it: it is configured, or was registered where the operator
   * says so.
   */
  trusted: boolean;
  /** Where it registered itself, and may change that. */
  registration?: Registration;
  /** Where its id is the URL of its metadata: when that was read, and until when it is fresh. In milliseconds. */
  document?: { readAt: number; freshUntil: number };
  disabled: boolean;
  /** Tells this client of the store from an earlier one of the same id. */
  instance?: string;
  /** Another one with each disabling: what was issued under an earlier one is void. */
  epoch?: string;
}

/** What is kept of a registration, beside what it means (RFC 7592). */
export interface Registration {
  /** SHA-256 of the token by which the client manages its registration. */
  tokenHash: string;
  /** In seconds. */
  issuedAt: number;
  /** Whether it showed an initial access token when it registered. No later change gains this. */
  initialAccess?: boolean;
  /** What the client said of itself, in the words of the protocol. */
  metadata: ClientMetadata;
}

/** A client that registered itself. */
export type RegisteredClient = Client & { registration: Registration };

/** What a client says of itself, in the words of the protocol (RFC 7591, section 2). */
export type ClientMetadata = Readonly<Record<string, unknown>>;

/** A client that holds no secret (OAuth 2.1, section 2.1). */
export function isPublic(client: Client): boolean {
  return client.authentication.length === 1 && client.authentication[0] === "none";
}

/**
 * Whether a client registered for any kind of logout; no other has a use for the `sid` of a
 * session.
 */
export function takesPartInLogout(
  { postLogoutRedirectUris, backchannelLogoutUri, frontchannelLogoutUri }: Client,
): boolean {
  return postLogoutRedirectUris.length > 0 || backchannelLogoutUri !== undefined ||
    frontchannelLogoutUri !== undefined;
}

/** Whether a client gets refresh tokens. */
export function mayRefresh(client: Client): boolean {
  return client.grantTypes.includes("refresh_token");
}

/** How an authorization response is sent (OAuth 2.0 Multiple Response Types; Form Post Response Mode). */
export type ResponseMode = "query" | "form_post" | "fragment";

export const responseModes: readonly ResponseMode[] = ["query", "form_post", "fragment"];

/** Which tokens a client may exchange, and for what (RFC 8693). */
export interface TokenExchangePolicy {
  /** The clients whose tokens it may present, as long as they are meant for it; any, where nothing is said. */
  subjects?: string[];
  /** What the new tokens may be for: resources, or names by which APIs are known. */
  audiences: string[];
  /** Whether a token may be given that says of nobody that they act for its subject. */
  impersonation: boolean;
  /** Whether it may present an actor, of whom the new token tells. */
  delegation: boolean;
}
