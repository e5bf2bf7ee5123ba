import type { CredentialForms, SubjectForm } from "./identifier_forms.ts";
import type {
  AliasTarget,
  DialectHost,
  EndpointAlias,
  FixedDocument,
  MissingPath,
  TokenApi,
  UserApi,
} from "./place_settings.ts";
import type {
  AccountTypes,
  ClientRequests,
  ClientSecretJwt,
  FormPostRule,
  LogoutForm,
} from "./request_settings.ts";
import type {
  AddedClaims,
  ConditionalMembers,
  ErrorShape,
  MemberChange,
  RefreshTokenRule,
  TokenShape,
} from "./response_settings.ts";

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
  /** The open segment of the issuer's path, unless the `issuer` names another one. */
  tenant?: string | undefined;
  /**
   * What decides in a drill how bad a mistake is: whether other tenants sign with the same keys, and
   * whether another user may take a name that was given up.
   *
   * @default none
   */
  traits?: Array<"shared keys" | "free names"> | undefined;
  /**
   * The hosts by which clients know what is played; the first one is that of the issuer. They lead
   * to the endpoints of the lab, and never to its interface over HTTP.
   */
  hosts?: DialectHost[] | undefined;
  /** More paths of endpoints, below the address of the lab. The first one that matches is used. */
  aliases?: EndpointAlias[] | undefined;
  /**
   * Documents that need no token, in place of the metadata of the server and beside it. The first one
   * that matches is used.
   */
  documents?: FixedDocument[] | undefined;
  /** The path of a document with the RSA keys in certificates, by their ids. */
  certificates?: string | undefined;
  /**
   * Whether the server's own metadata can be read.
   *
   * @default true
   */
  ownMetadata?: boolean | undefined;
  /** APIs that describe the user who signed in. */
  userApis?: UserApi[] | undefined;
  /** APIs that describe or revoke the token that a request names. */
  tokenApis?: TokenApi[] | undefined;
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
  /** Claims about users that are added to tokens and userinfo. */
  claims?: AddedClaims[] | undefined;
  /**
   * What happens to scopes that a client may not have: `ignore` leaves them out of a request, unless
   * no other is left.
   *
   * @default "refuse"
   */
  unknownScopes?: "refuse" | "ignore" | undefined;
  /** Scopes that every authorization request has, whether or not it names them. */
  impliedScopes?: string[] | undefined;
  /** Scopes that need `response_mode=form_post`. */
  formPost?: FormPostRule | undefined;
  /** The form of client secrets, if they are JWTs. */
  clientSecretJwt?: ClientSecretJwt | undefined;
  /** Endpoints of the server that the provider does not have. */
  missingEndpoints?: AliasTarget[] | undefined;
  /** Paths that the provider has and the lab does not play: the error says so. */
  missingPaths?: MissingPath[] | undefined;
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
   */
  scopeAudience?: boolean | undefined;
  /** How successful responses of the token endpoint differ. */
  tokenResponse?: MemberChange | undefined;
  /**
   * How responses of the device authorization endpoint differ. `{device.user_code}` is a member of
   * the server's.
   */
  deviceResponse?: MemberChange | undefined;
  /** How authorization responses differ. */
  authorizationResponse?: MemberChange | undefined;
  /**
   * Parameters of the first authorization response about a user to a client, and of no later one.
   * An object is sent as JSON; objects of the same name are joined.
   */
  firstResponse?: ConditionalMembers[] | undefined;
  /** Other errors in place of those of the server. The first one that fits is used. */
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
