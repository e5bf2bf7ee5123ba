/** The paths of the endpoints of the core. */
export interface CorePathsConfig {
  /**
   * The authorization endpoint.
   *
   * @format endpoint-path
   * @default "/oauth2/authorize"
   */
  authorize?: string;
  /**
   * The token endpoint.
   *
   * @format endpoint-path
   * @default "/oauth2/token"
   */
  token?: string;
  /**
   * The key set.
   *
   * @format endpoint-path
   * @default "/oauth2/jwks"
   */
  jwks?: string;
  /**
   * The userinfo endpoint.
   *
   * @format endpoint-path
   * @default "/oauth2/userinfo"
   */
  userinfo?: string;
  /**
   * The pages where users sign in and consent. Each authorization request has its own, one segment
   * below this path.
   *
   * @format endpoint-path
   * @default "/oauth2/interaction"
   */
  interaction?: string;
}

/** An endpoint whose path can be configured, of the core or of a feature. */
export type EndpointName =
  | keyof CorePathsConfig
  | "backchannelAuthentication"
  | "device"
  | "deviceAuthorization"
  | "introspect"
  | "logout"
  | "par"
  | "register"
  | "revoke";

/** The path of every endpoint that a server has. */
export type EndpointPaths =
  & Readonly<Required<CorePathsConfig>>
  & Readonly<Partial<Record<EndpointName, string>>>;
