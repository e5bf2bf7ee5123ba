import type { ApiRefusal } from "./response_settings.ts";

/** A host by which clients know what is played. */
export interface DialectHost {
  /** Its name: `"accounts.google.com"`. */
  name: string;
  /**
   * The paths that documents name at this host, if the lab has the first host as its own.
   *
   * @default none: they are at the first host
   */
  paths?: string[] | undefined;
}

/** Another path of an endpoint. */
export interface EndpointAlias {
  /** The path; one segment may be open: `"/:tenant/oauth2/v2.0/token"`. */
  path: string;
  /** The endpoint. */
  to: AliasTarget;
}

/** What a path can lead to. */
export type AliasTarget =
  | "authorize"
  | "token"
  | "jwks"
  | "userinfo"
  | "logout"
  | "introspect"
  | "revoke"
  | "deviceAuthorization"
  | "device"
  | "backchannelAuthentication";

/** A path of the provider that the lab does not play. */
export interface MissingPath {
  /** The path; one segment may be open: `"/api/:method"`. */
  path: string;
  /** What the lab does not play, as a sentence. */
  text: string;
}

/** A document that needs no token: metadata, for example. */
export interface FixedDocument {
  /**
   * The path below the address of the lab; one segment may be open, and is `{segment}` in the JSON.
   */
  path: string;
  /**
   * The status.
   *
   * @integer
   * @minimum 200
   * @maximum 599
   * @default 200
   */
  status?: number | undefined;
  /** The JSON. */
  body: unknown;
}

/** An API that describes the user who signed in. */
export interface UserApi {
  /** The path below the address of the lab. */
  path: string;
  /** The JSON. */
  body: unknown;
  /**
   * More members of the JSON, by the scope that they need: `{ "email": { "email": "{user.email}" } }`.
   */
  byScope?: Record<string, Record<string, unknown>> | undefined;
  /**
   * The scopes of which an access token needs one.
   *
   * @default none: any token is enough
   */
  scopes?: string[] | undefined;
  /** Headers of the response: `{ "X-OAuth-Scopes": "{scopes}" }`. */
  headers?: Record<string, string> | undefined;
  /** The response for a token without any of these scopes. */
  forbidden?: ApiRefusal | undefined;
  /** The response without an active token. */
  unauthorized?: ApiRefusal | undefined;
}

/** An API about a token that a request names in its query, in a form, in JSON or in its header. */
export interface TokenApi {
  /**
   * The method.
   *
   * @default "POST"
   */
  method?: "GET" | "POST" | "DELETE" | undefined;
  /** The path below the address of the lab. One segment may be open, for the id of the client. */
  path: string;
  /** The parameter that names the token. */
  parameter: string;
  /**
   * The client of the token authenticates with its secret, in HTTP Basic.
   *
   * @default none: the token is enough to use the API
   */
  client?: TokenApiClient | undefined;
  /** Whether the request revokes the token, with all others of the authorization. */
  revokes?: boolean | undefined;
  /**
   * The status.
   *
   * @integer
   * @minimum 200
   * @maximum 299
   * @default 200
   */
  status?: number | undefined;
  /** The JSON. */
  body?: unknown;
  /** The response for a token that is not active, or belongs to another client. */
  unknown: ApiRefusal;
}

/** How the client of a token authenticates at an API. */
export interface TokenApiClient {
  /** The response without its id and secret. */
  unauthorized: ApiRefusal;
}
