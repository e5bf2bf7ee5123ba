/** How a logout request differs from that of OpenID Connect. */
export interface LogoutForm {
  /**
   * The parameter that says where users go after the sign-out, beside `post_logout_redirect_uri`.
   *
   * @default none
   */
  redirectParameter?: string | undefined;
  /**
   * Whether users are asked if a request has no ID token of their session.
   *
   * @default "ask"
   */
  confirmation?: "ask" | "skip" | undefined;
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
  /**
   * The response type of authorization requests that name none.
   *
   * @default none
   */
  responseType?: string | undefined;
  /**
   * Whether a body may be JSON that is a form otherwise.
   *
   * @default false
   */
  json?: boolean | undefined;
  /**
   * The grant type of token requests that name none.
   *
   * @default none
   */
  grantType?: string | undefined;
  /**
   * Whether the secret of the `Authorization` header may stand in the body as well.
   *
   * @default false
   */
  repeatedSecret?: boolean | undefined;
}
