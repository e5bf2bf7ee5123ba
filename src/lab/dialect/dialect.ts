import type { FaultPlace } from "../faults/places.ts";
import type { ApiRefusal, MemberChange } from "./member_settings.ts";
import type {
  AccountTypes,
  ClientRequests,
  ClientSecretJwt,
  FormPostRule,
  LogoutForm,
} from "./request_settings.ts";
import type { WorkloadTokens } from "./workload_settings.ts";

/**
 * How the wire of a lab differs from that of its server: names, shapes and paths, as data. The
 * server checks requests as usual. Values are JSON in which `{…}` stands for a value: `{issuer}`,
 * `{base}`, `{front}` and `{back}` for the base at the two other addresses of a lab, `{client}`,
 * `{scope}`, `{now}`, `{user.email}`. A member without a value is left out, unless it names one:
 * `{user.email|null}`, `{token.tid|tenant}`. `{integer:user.sub}` is a number, and `{uuid:user.sub}` an identifier that is
 * derived from the value.
 */
export interface Dialect {
  /**
   * The path of the issuer below the address of the lab; one segment may be open: `"/:tenant/v2.0"`.
   * With `"/"`, the issuer ends with a slash. The segment may say what is between its parts:
   * `"/:region_:id"`.
   *
   * @default none: the issuer is the address
   */
  issuerPath?: string | undefined;
  /**
   * The open segment of the issuer's path, unless the `issuer` names another one.
   *
   * @default none
   */
  tenant?: string | undefined;
  /**
   * The hosts by which clients know what is played; the first one is that of the issuer. They lead
   * to the endpoints of the lab, and never to its interface over HTTP.
   *
   * @default []
   */
  hosts?: DialectHost[] | undefined;
  /**
   * More paths of endpoints, below the address of the lab. The first one that matches is used.
   *
   * @default []
   */
  aliases?: EndpointAlias[] | undefined;
  /**
   * Documents that need no token, in place of the metadata of the server and beside it. The first one
   * that matches is used.
   *
   * @default []
   */
  documents?: FixedDocument[] | undefined;
  /**
   * The path of a document with the RSA keys in certificates, by their ids.
   *
   * @default none
   */
  certificates?: string | undefined;
  /**
   * Whether the server's own metadata can be read.
   *
   * @default true
   */
  ownMetadata?: boolean | undefined;
  /**
   * APIs that describe the user who signed in.
   *
   * @default []
   */
  userApis?: UserApi[] | undefined;
  /** Where a program gets tokens about itself, if the provider runs programs. */
  workloadTokens?: WorkloadTokens | undefined;
  /**
   * The form of responses of the token endpoint and of the device authorization endpoint, for
   * requests whose `Accept` does not ask for JSON.
   *
   * @default "json"
   */
  tokenResponses?: "json" | "form" | undefined;
  /**
   * What separates scopes in responses. In requests, it does so beside the space.
   *
   * @default " "
   */
  scopeSeparator?: " " | "," | undefined;
  /**
   * Claims about users that are added to tokens and userinfo.
   *
   * @default []
   */
  claims?: AddedClaims[] | undefined;
  /**
   * What happens to scopes that a client may not have: `ignore` leaves them out of a request, unless
   * no other is left.
   *
   * @default "refuse"
   */
  unknownScopes?: "refuse" | "ignore" | undefined;
  /**
   * Scopes that every authorization request has, whether or not it names them.
   *
   * @default []
   */
  impliedScopes?: string[] | undefined;
  /** Scopes that need `response_mode=form_post`. */
  formPost?: FormPostRule | undefined;
  /** The form of client secrets, if they are JWTs. */
  clientSecretJwt?: ClientSecretJwt | undefined;
  /**
   * Endpoints of the server that the provider does not have.
   *
   * @default []
   */
  missingEndpoints?: AliasTarget[] | undefined;
  /** How requests of clients differ. */
  clientRequests?: ClientRequests | undefined;
  /** Where users of which accounts may sign in. */
  accountTypes?: AccountTypes | undefined;
  /** How logout requests differ. */
  logout?: LogoutForm | undefined;
  /** How ID tokens differ. */
  idToken?: TokenShape | undefined;
  /**
   * Whether ID tokens are signed with the key of access tokens, or with their own one.
   *
   * @default "shared"
   */
  idTokenKey?: "shared" | "own" | undefined;
  /** How userinfo responses differ that are JSON. */
  userinfo?: MemberChange | undefined;
  /** How access tokens that are JWTs differ. */
  accessToken?: TokenShape | undefined;
  /**
   * The claims of refresh tokens, if those are JWTs. `{token.sub}` is a claim of the access token,
   * `{refresh.exp}` and `{refresh.expires_in}` are about the lifetime.
   *
   * @default none: refresh tokens are opaque
   */
  refreshToken?: Record<string, unknown> | undefined;
  /**
   * What `{token.aud}` has for userinfo, where the server has the issuer. With it, a token for an API
   * is for userinfo as well if the parameter `audience` names the API and the scope has `openid`.
   *
   * @default none: a token for an API is for that alone
   */
  userinfoAudience?: string | undefined;
  /**
   * Whether `{token.aud}` names the API that the scopes of a token belong to, where it would name
   * userinfo: `orders` for `api://orders/read`, `https://api.example` for `https://api.example/read`.
   *
   * @default false
   */
  scopeAudience?: boolean | undefined;
  /** How successful responses of the token endpoint differ. */
  tokenResponse?: MemberChange | undefined;
  /** How authorization responses differ. */
  authorizationResponse?: MemberChange | undefined;
  /**
   * Parameters of the first authorization response about a user to a client, and of no later one.
   * An object is sent as JSON; objects of the same name are joined.
   *
   * @default []
   */
  firstResponse?: ConditionalMembers[] | undefined;
  /**
   * Other errors in place of those of the server. The first one that fits is used.
   *
   * @default []
   */
  errors?: ErrorShape[] | undefined;
  /** Which responses have a refresh token. By default, the grants of the client decide. */
  refreshTokens?: RefreshTokenRule | undefined;
  /** The form of `sub` for users without a configured one. */
  subjects?: SubjectForm | undefined;
  /** The form of codes and opaque tokens. */
  credentials?: CredentialForms | undefined;
  /**
   * Scopes without a box on the consent page of a client with `partialConsent`; if only one other
   * scope is left, it has none either.
   *
   * @default ["openid"]
   */
  unrefusableScopes?: string[] | undefined;
}

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
  | "device";

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
   *
   * @default {}
   */
  byScope?: Record<string, Record<string, unknown>> | undefined;
  /**
   * The scopes of which an access token needs one.
   *
   * @default none: any token is enough
   */
  scopes?: string[] | undefined;
  /** The response for a token without any of these scopes. */
  forbidden?: ApiRefusal | undefined;
  /** The response without an active token. */
  unauthorized?: ApiRefusal | undefined;
}

/** Members about a user, under conditions. */
export interface ConditionalMembers {
  /**
   * The scope that must be granted.
   *
   * @default none
   */
  scope?: string | undefined;
  /**
   * The claim of the user that must be true.
   *
   * @default none
   */
  when?: string | undefined;
  /** The members. */
  set: Record<string, unknown>;
}

/** Claims about users that are added. */
export interface AddedClaims extends ConditionalMembers {
  /** Where the claims are added. */
  in: Array<"id_token" | "access_token" | "userinfo">;
  /** What takes the place of the claims if one is a list that is too long. */
  overage?: ClaimsOverage | undefined;
}

/** What takes the place of a list that is too long for a token. */
export interface ClaimsOverage {
  /**
   * How many entries a list may have.
   *
   * @integer
   * @minimum 1
   * @maximum 10000
   */
  most: number;
  /** The claims instead. */
  set: Record<string, unknown>;
}

/** How a JWT differs: members of its claims, and of its header. */
export interface TokenShape extends MemberChange {
  /** Changes of the header. */
  header?: MemberChange | undefined;
}

/** Another error in place of one of the server. */
export interface ErrorShape {
  /** The endpoint. */
  at: FaultPlace;
  /**
   * The `error` of the server, or the rule that the request broke: `"code.redirect_uri"`.
   *
   * @default every error
   */
  for?: string[] | undefined;
  /** The members of the response; `{description}` is the description of the server. */
  set: Record<string, unknown>;
  /**
   * The status.
   *
   * @integer
   * @minimum 200
   * @maximum 599
   * @default that of the server
   */
  status?: number | undefined;
}

/** Which responses have a refresh token. */
export interface RefreshTokenRule {
  /** The scope that a request must name. */
  scope?: string | undefined;
  /** The parameter that an authorization request must have, with its value: `access_type=offline`. */
  parameter?: string | undefined;
  /**
   * The parameter that every later request of the same user and client must have as well, because
   * only the first one yields a refresh token: `prompt=consent`.
   *
   * @default none: each does
   */
  again?: string | undefined;
}

/** The form of an identifier: derived from a name, so that it is the same each time. */
export interface SubjectForm {
  /** What the identifier consists of. */
  form: "uuid" | "digits" | "hex" | "uppercase" | "alphanumeric";
  /**
   * How many characters.
   *
   * @integer
   * @minimum 1
   * @maximum 64
   * @default 21
   */
  length?: number | undefined;
  /**
   * What the identifier begins with.
   *
   * @default ""
   */
  prefix?: string | undefined;
  /**
   * What the identifier ends with.
   *
   * @default ""
   */
  suffix?: string | undefined;
}

/** The form of codes and opaque tokens. */
export interface CredentialForms {
  /** The form of authorization codes. */
  code?: CredentialForm | undefined;
  /** The form of opaque access tokens. */
  accessToken?: CredentialForm | undefined;
  /** The form of refresh tokens. */
  refreshToken?: CredentialForm | undefined;
}

/** The form of a code or an opaque token. */
export interface CredentialForm {
  /**
   * What it begins with.
   *
   * @default ""
   */
  prefix?: string | undefined;
  /**
   * What the rest consists of.
   *
   * @default "alphanumeric"
   */
  form?: "hex" | "alphanumeric" | undefined;
  /**
   * How many characters the rest has.
   *
   * @integer
   * @minimum 20
   * @maximum 512
   */
  length: number;
}
