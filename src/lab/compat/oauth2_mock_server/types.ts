/** The events of a service, by their names in code. */
export const Events: {
  readonly BeforeWellKnownOpenIdConfiguration: "beforeWellKnownOpenIdConfiguration";
  readonly BeforeTokenSigning: "beforeTokenSigning";
  readonly BeforeResponse: "beforeResponse";
  readonly BeforeUserinfo: "beforeUserinfo";
  readonly BeforeRevoke: "beforeRevoke";
  readonly BeforeAuthorizeRedirect: "beforeAuthorizeRedirect";
  readonly BeforePostLogoutRedirect: "beforePostLogoutRedirect";
  readonly BeforeIntrospect: "beforeIntrospect";
} = {
  BeforeWellKnownOpenIdConfiguration: "beforeWellKnownOpenIdConfiguration",
  BeforeTokenSigning: "beforeTokenSigning",
  BeforeResponse: "beforeResponse",
  BeforeUserinfo: "beforeUserinfo",
  BeforeRevoke: "beforeRevoke",
  BeforeAuthorizeRedirect: "beforeAuthorizeRedirect",
  BeforePostLogoutRedirect: "beforePostLogoutRedirect",
  BeforeIntrospect: "beforeIntrospect",
};

/** The name of an event of a service. */
export type Events = typeof Events[keyof typeof Events];

/** The methods that a route may have. */
export const supportedHttpMethods: readonly ["GET", "POST", "PUT", "DELETE", "PATCH"] = [
  "GET",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
];

/** A method that a route may have. */
export type HttpMethod = typeof supportedHttpMethods[number];

/** The header of a token before it is signed. */
export interface MutableHeader {
  /** The id of the key. */
  kid: string;
  /** Other members. The algorithm is that of the key. */
  [name: string]: unknown;
}

/** The payload of a token before it is signed. */
export interface MutablePayload {
  /** The issuer. */
  iss: string;
  /** When it was issued, in seconds. */
  iat: number;
  /** When it expires, in seconds. */
  exp: number;
  /** When it begins to be valid, in seconds. */
  nbf: number;
  /** Other claims. */
  [name: string]: unknown;
}

/** A token before it is signed. */
export interface MutableToken {
  /** The header. */
  header: MutableHeader;
  /** The payload. */
  payload: MutablePayload;
}

/** A response whose status a listener may change. */
export interface StatusCodeMutableResponse {
  /** The HTTP status. */
  statusCode: number;
}

/** A response that a listener may change. */
export interface MutableResponse extends StatusCodeMutableResponse {
  /** The JSON, or nothing. */
  body: Record<string, unknown> | "";
}

/** A redirect whose URL a listener may change in place. */
export interface MutableRedirectUri {
  /** The URL. */
  url: URL;
}

/** Changes the header and the payload of a token before it is signed. */
export type JwtTransform = (header: MutableHeader, payload: MutablePayload) => void;

/** The scope of a token, or what changes the token. */
export type ScopesOrTransform = string | string[] | JwtTransform;

/** What a token is built from. */
export interface TokenBuildOptions {
  /** The id of the key; the keys take turns by default. */
  kid?: string | undefined;
  /** The scope, or what changes the token. */
  scopesOrTransform?: ScopesOrTransform | undefined;
  /** The lifetime in seconds; 3600 by default. */
  expiresIn?: number | undefined;
}

/** A key of a store. */
export interface StoredJwk {
  /** The id of the key. */
  kid: string;
  /** The algorithm that it signs with. */
  alg: string;
  /** The type of the key. */
  kty?: string;
  /** Other members. */
  [name: string]: unknown;
}

/** The paths of the endpoints. */
export interface OAuth2Endpoints {
  /** The metadata. */
  wellKnownDocument: string;
  /** The token endpoint. */
  token: string;
  /** The key set. */
  jwks: string;
  /** The authorization endpoint. */
  authorize: string;
  /** The userinfo endpoint. */
  userinfo: string;
  /** The revocation endpoint. */
  revoke: string;
  /** The endpoint where clients sign users out. */
  endSession: string;
  /** The introspection endpoint. */
  introspect: string;
}

/** Other paths of endpoints. */
export type OAuth2EndpointsInput = Partial<OAuth2Endpoints>;

/** The options of a server. */
export interface OAuth2Options {
  /** Other paths of endpoints. */
  endpoints?: OAuth2EndpointsInput;
  /** Whether the issuer URL ends with a slash; undefined leaves it as it is. */
  shouldIssuerUrlBeSuffixedWithATralingSlash?: boolean;
}

/** The certificate of a server with TLS, and its key, in PEM. */
export interface HttpServerOptions {
  /** The private key. */
  key?: string | Uint8Array | undefined;
  /** The certificate. */
  cert?: string | Uint8Array | undefined;
}

/** A request, as Node has it. */
export interface NodeMessage extends AsyncIterable<Uint8Array> {
  /** The HTTP method. */
  method?: string | undefined;
  /** The path and the query. */
  url?: string | undefined;
  /** The headers, with names in lower case. */
  headers: Record<string, string | string[] | undefined>;
}

/** The body of a token request. */
export interface MockTokenRequest {
  /** The grant type. */
  grant_type: string;
  /** The scope. */
  scope?: string;
  /** The name of the user. */
  username?: unknown;
  /** The client. */
  client_id?: unknown;
  /** The authorization code. */
  code?: string;
  /** The audience of the access token. */
  aud?: string[] | string;
  /** The code verifier of PKCE. */
  code_verifier?: string;
  /** The assertion. */
  assertion?: string;
}

/** A token request, as Node has it, with its body. */
export interface TokenRequestIncomingMessage extends NodeMessage {
  /** The parameters. */
  body: MockTokenRequest;
}

/** A request for a route of the test, as Node has it, with its body and query. */
export interface AugmentedRequest extends NodeMessage {
  /** The parsed body. */
  body: Record<string, unknown> | unknown[] | undefined;
  /** The parsed query. */
  query: Record<string, string | string[] | undefined>;
}

/** A response, as Node has it. */
export interface NodeResponse {
  /** The HTTP status. */
  statusCode: number;
  /** Whether the headers were sent. */
  readonly headersSent: boolean;
  /** Sets a header. */
  setHeader(name: string, value: string | string[]): unknown;
  /** Sends the status and headers. */
  writeHead(status: number, headers?: Record<string, string | string[]>): unknown;
  /** Sends a part of the body. */
  write(chunk: string | Uint8Array): boolean;
  /** Ends the response. */
  end(chunk?: string | Uint8Array): unknown;
  /** Breaks the connection. */
  destroy(): unknown;
  /** Calls a listener. */
  on(event: "close", listener: () => void): unknown;
}

/** Responds to a request for a route of the test. */
export type MockRouteHandler = (
  request: AugmentedRequest,
  response: NodeResponse,
) => Promise<void> | void;

/** What Node's servers call with a request. */
export type NodeListener = (request: NodeMessage, response: NodeResponse) => void;

/** Where a server listens. */
export interface BoundAddress {
  /** The IP address. */
  address: string;
  /** The family of the address. */
  family: string;
  /** The port. */
  port: number;
}

/** The events of an issuer. */
export type IssuerEvents = {
  /** A token is about to be signed. */
  beforeSigning: (token: MutableToken) => void;
};

/** The events of a service. */
export type ServiceEvents = {
  /** The metadata is about to be sent. */
  beforeWellKnownOpenIdConfiguration: (response: MutableResponse, request: NodeMessage) => void;
  /** A token is about to be signed. */
  beforeTokenSigning: (token: MutableToken, request: TokenRequestIncomingMessage) => void;
  /** A response of the token endpoint is about to be sent. */
  beforeResponse: (response: MutableResponse, request: TokenRequestIncomingMessage) => void;
  /** A response of the userinfo endpoint is about to be sent. */
  beforeUserinfo: (response: MutableResponse, request: NodeMessage) => void;
  /** A response of the revocation endpoint is about to be sent. */
  beforeRevoke: (response: StatusCodeMutableResponse, request: NodeMessage) => void;
  /** An authorization response is about to be sent. */
  beforeAuthorizeRedirect: (redirect: MutableRedirectUri, request: NodeMessage) => void;
  /** A redirect after a sign-out is about to be sent. */
  beforePostLogoutRedirect: (redirect: MutableRedirectUri, request: NodeMessage) => void;
  /** A response of the introspection endpoint is about to be sent. */
  beforeIntrospect: (response: MutableResponse, request: NodeMessage) => void;
};
