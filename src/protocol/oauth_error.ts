import type { Challenge } from "./challenge.ts";

/** Every error code a client can meet, with the HTTP status it has unless the thrower says otherwise. */
const statusOf = {
  // RFC 6749, sections 4.1.2.1 and 5.2
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  access_denied: 403,
  server_error: 500,
  temporarily_unavailable: 503,
  // OpenID Connect Core, section 3.1.2.6
  login_required: 400,
  consent_required: 400,
  account_selection_required: 400,
  // OpenID Connect Core Error Code unmet_authentication_requirements
  unmet_authentication_requirements: 400,
  invalid_request_uri: 400,
  invalid_request_object: 400,
  request_not_supported: 400,
  request_uri_not_supported: 400,
  registration_not_supported: 400,
  // RFC 6750, section 3.1
  invalid_token: 401,
  insufficient_scope: 403,
  // RFC 8628, section 3.5
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  // RFC 9470, section 3
  insufficient_user_authentication: 401,
  // RFC 9449, sections 5 and 8
  invalid_dpop_proof: 400,
  use_dpop_nonce: 400,
  // RFC 8707, section 2
  invalid_target: 400,
  // RFC 9396, section 5
  invalid_authorization_details: 400,
  // RFC 7591, section 3.2.2
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  unapproved_software_statement: 400,
  // HTTP
  not_found: 404,
} as const;

export type ErrorCode = keyof typeof statusOf;

export interface ErrorDetails {
  /** The section that asks for the refusal, in words: "OAuth 2.1, section 4.1.3". */
  see?: string;
  status?: number;
  /** Headers of the answer, such as `Allow` or `Retry-After`. */
  headers?: Record<string, string>;
  /** More than a stranger should know, for the developer in front of a lab. */
  hint?: string;
  /** How the caller may authenticate instead. */
  challenges?: readonly Challenge[];
  /**
   * Whether the response has a body. Default: true. A request that brought no access token gets a
   * challenge alone.
   */
  hasBody?: boolean;
  /** What happened inside. It goes to the events, never to the client. */
  cause?: unknown;
}

/** A refusal, in one plain sentence for the developer of the client. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly see?: string;
  readonly headers: Record<string, string>;
  readonly challenges: readonly Challenge[];
  readonly hint?: string;
  readonly hasBody: boolean;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.status = details.status ?? statusOf[code];
    this.see = details.see;
    this.headers = details.headers ?? {};
    this.challenges = details.challenges ?? [];
    this.hint = details.hint;
    this.hasBody = details.hasBody ?? true;
  }
}

/** Makes one kind of error, with the section that asks for it. */
export type ErrorFactory = (message: string, details?: ErrorDetails) => OAuthError;

/** Returns a factory for errors with one code, which cite `see` unless their details name another section. */
export function errorFactory(code: ErrorCode, see?: string): ErrorFactory {
  return (message, details) => new OAuthError(code, message, { see, ...details });
}

/** Takes anything that was thrown for what it is: a refusal, or else a fault of the server that nobody outside learns about. */
export function toOAuthError(cause: unknown): OAuthError {
  return cause instanceof OAuthError
    ? cause
    : new OAuthError("server_error", "The server met an unexpected condition.", { cause });
}

/** The two members that carry an error in every protocol. */
export type ErrorBody = {
  error: string;
  error_description: string;
};

/** Writes an error for a client; its hint is for a lab alone. */
export function errorBody({ code, message, see, hint }: OAuthError, showsHint = false): ErrorBody {
  const sentences = [message, showsHint && hint, see && `See ${see}.`].filter(Boolean);
  return { error: code, error_description: describable(sentences.join(" ")) };
}

/** A description has neither quotes nor backslashes, and nothing beyond ASCII (RFC 6749, section 5.2). */
function describable(text: string): string {
  return text.replaceAll('"', "'").replaceAll("\\", "/").replace(/[^\x20-\x7e]/g, "?");
}
