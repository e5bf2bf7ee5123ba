import type { ApiRefusal, MemberChange } from "./member_settings.ts";

/** Where a program gets tokens about itself: JWTs that the server signs with RS256. */
export interface WorkloadTokens {
  /**
   * The path below the address of the lab. Segments may be open: `":name"` is `{path.name}`.
   *
   * @default "/idtoken"
   */
  path?: string | undefined;
  /**
   * The method: a GET may name an `audience` in its query, a POST has JSON.
   *
   * @default "GET"
   */
  method?: "GET" | "POST" | undefined;
  /** What the JSON of a POST may say, which templates have as `{body.spec.audiences}`. */
  request?: WorkloadRequest | undefined;
  /**
   * The bearer token that a request must have.
   *
   * @default "token-of-the-runner"
   */
  bearer?: string | undefined;
  /**
   * The audience of tokens for requests that name none; `{claims.name}` is a claim.
   *
   * @default "{issuer}"
   */
  audience?: string | undefined;
  /**
   * The `sub`; `{claims.name}` is a claim.
   *
   * @default "{claims.sub}"
   */
  subject?: string | undefined;
  /**
   * The claims about the program. Templates also have `{account}`, the open segments of the path,
   * and `{warnafter}` for a token with a longer life than was asked for.
   *
   * @default {}
   */
  claims?: Record<string, unknown> | undefined;
  /**
   * The lifetime in seconds.
   *
   * @integer
   * @minimum 1
   * @maximum 86400
   * @default 3600
   */
  lifetime?: number | undefined;
  /** Which tokens live longer than was asked for. */
  extension?: WorkloadExtension | undefined;
  /**
   * How far `nbf` lies before `iat`, in seconds.
   *
   * @integer
   * @minimum 0
   * @maximum 3600
   * @default 300
   */
  notBefore?: number | undefined;
  /** How the header differs from `typ`, `alg` and `kid`; `{kid}` is the id of the key. */
  header?: MemberChange | undefined;
  /**
   * The status of the response.
   *
   * @integer
   * @minimum 200
   * @maximum 299
   * @default 200
   */
  status?: number | undefined;
  /**
   * The JSON of the response; `{token}` is the token, `{audience}` and `{lifetime}` are what was
   * asked for, `{issued}` and `{expires}` are times.
   *
   * @default {"token":"{token}"}
   */
  body?: unknown;
  /** The response without the bearer token. */
  unauthorized?: ApiRefusal | undefined;
  /** The response to another method. */
  wrongMethod?: ApiRefusal | undefined;
  /** The response to JSON that says something else; `{problem}` is what is wrong. */
  invalid?: ApiRefusal | undefined;
}

/** What the JSON of a request for a token may say, by the path of a member: `"spec.audiences"`. */
export interface WorkloadRequest {
  /** The member with the list of audiences. */
  audience?: string | undefined;
  /** The member with the lifetime in seconds. */
  lifetime?: string | undefined;
  /**
   * The shortest lifetime.
   *
   * @integer
   * @minimum 1
   * @default 1
   */
  minLifetime?: number | undefined;
  /**
   * The values that members may have, if they are there.
   *
   * @default {}
   */
  values?: Record<string, string[]> | undefined;
}

/** Which tokens live longer than was asked for. */
export interface WorkloadExtension {
  /**
   * The lifetime that is asked for, in seconds.
   *
   * @integer
   * @minimum 1
   */
  lifetime: number;
  /** The member that the JSON must have. */
  member: string;
  /**
   * The lifetime that such a token has, in seconds.
   *
   * @integer
   * @minimum 1
   */
  extended: number;
}
