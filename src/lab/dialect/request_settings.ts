/** How a logout request differs from that of OpenID Connect. */
export interface LogoutForm {
  /**
   * The parameter that says where users go after the sign-out, beside `post_logout_redirect_uri`.
   */
  redirectParameter?: string | undefined;
}

/** A client secret that is a JWT, which the client signs with its key (`jwks`). */
export interface ClientSecretJwt {
  /** The `aud`; a list of audiences must contain it. */
  audience: string;
  /**
   * How far in the future it may expire, in seconds.
   *
   * @integer
   * @minimum 1
   * @maximum 31536000
   * @default 3600
   */
  maxLifetime?: number | undefined;
}

/** Scopes that a request may name only with `response_mode=form_post`. */
export interface FormPostRule {
  /** The scopes. */
  scopes: string[];
  /** The description of the error. */
  description: string;
}

/** How requests of clients differ. */
export interface ClientRequests {
  /** The response type of authorization requests that name none. */
  responseType?: string | undefined;
  /**
   * Whether a request needs a nonce if its response type has `id_token`, where the lab has such types.
   *
   * @default "required"
   */
  nonce?: "required" | "optional" | undefined;
  /** Whether a body may be JSON that is a form otherwise. */
  json?: boolean | undefined;
  /** Whether such JSON may name parameters in camel case: `clientId` for `client_id`. */
  camelCase?: boolean | undefined;
  /** Whether the query of a request without a body stands for the form. */
  queryForm?: boolean | undefined;
  /**
   * Whether an authorization request needs a `redirect_uri` if its client has only one.
   *
   * @default "required"
   */
  redirectUri?: "required" | "optional" | undefined;
  /** The grant type of token requests that name none. */
  grantType?: string | undefined;
  /** Whether the secret of the `Authorization` header may stand in the body as well. */
  repeatedSecret?: boolean | undefined;
  /**
   * More forms of HTTP Basic: `id-alone` has the id of a public client, and no colon or secret
   * after it; `colon` has a colon after the word Basic.
   */
  basicForms?: Array<"id-alone" | "colon"> | undefined;
  /** Whether a public client may introspect its own tokens. */
  publicIntrospection?: boolean | undefined;
  /**
   * Whether userinfo, and APIs about the user, take an access token in the query, as
   * `access_token`.
   */
  queryToken?: boolean | undefined;
  /** Scopes by other names, and what each stands for: `{ "user.read": "User.Read" }`. */
  scopeSynonyms?: Record<string, string> | undefined;
  /**
   * What stands for all scopes of a client that begin alike: with `".default"`,
   * `https://api.example/.default` is a request for `https://api.example/read`.
   */
  allScopes?: string | undefined;
  /** Grant types by other names. */
  grantTypeSynonyms?: Record<string, GrantTypeSynonym> | undefined;
}

/** What another name of a grant type stands for. */
export interface GrantTypeSynonym {
  /** The grant type. */
  grantType: string;
  /** Its parameters by other names: `{ "code": "device_code" }`. */
  parameters?: Record<string, string> | undefined;
}

/**
 * Which accounts may sign in, by a segment of the path where the flow began. Others end at a page, or,
 * with `prompt=none`, with the error `interaction_required`; a device goes on waiting.
 */
export interface AccountTypes {
  /**
   * The paths where flows begin, for a browser or a device. They are below the address of the lab, with
   * one open segment: `"/:tenant/authorize"`.
   */
  paths: string[];
  /** What tells accounts apart: `"{user.tid|tenant}"`. */
  account: string;
  /** Who may sign in. The first entry that fits the segment is used. */
  rules: AccountRule[];
}

/** Which accounts may sign in. Users are refused when they have signed in. */
export interface AccountRule {
  /**
   * The values of the segment.
   *
   * @default any
   */
  segments?: string[] | undefined;
  /**
   * The accounts that may sign in.
   *
   * @default all
   */
  only?: string[] | undefined;
  /** The accounts that may not. */
  never?: string[] | undefined;
  /**
   * What users read, and clients after `prompt=none`.
   *
   * @default "This account cannot be used here."
   */
  text?: string | undefined;
}
