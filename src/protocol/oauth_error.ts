import type { ReplyTo } from "./reply.ts";

/** Every error code a client can meet, with the HTTP status it travels under. */
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
  interaction_required: 400,
  account_selection_required: 400,
  request_not_supported: 400,
  request_uri_not_supported: 400,
  registration_not_supported: 400,
  // RFC 6750, section 3.1; a request without any token is told of no error at all
  no_token: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  // RFC 7009, section 2.2.1
  unsupported_token_type: 400,
  // RFC 8707, section 2
  invalid_target: 400,
  // What HTTP itself has to say
  not_found: 404,
  too_many_requests: 429,
} as const;

export type ErrorCode = keyof typeof statusOf;

/** What an error may carry beside its code and its sentence. */
export interface ErrorDetails {
  /** The section that asks for the refusal, in words: "OAuth 2.1, section 4.1.3". */
  see?: string;
  /** A status other than the usual one of the code. */
  status?: number;
  /** Headers that the answer needs, such as `Allow` or `Retry-After`. */
  headers?: Record<string, string>;
  /** Where the error is sent, once a client and its redirect URI are trusted. */
  replyTo?: ReplyTo;
  /** What truly happened. For the log alone; it never leaves the server. */
  cause?: unknown;
}

/** A refusal, in one plain sentence for the developer of the client. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly see?: string;
  readonly headers: Record<string, string>;
  readonly replyTo?: ReplyTo;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.status = details.status ?? statusOf[code];
    this.see = details.see;
    this.headers = details.headers ?? {};
    this.replyTo = details.replyTo;
  }
}

/** The two members that every protocol puts an error into. */
export interface WireError {
  error: string;
  error_description: string;
}

export function wireError(error: OAuthError): WireError {
  const text = error.see ? `${error.message} See ${error.see}.` : error.message;
  return { error: error.code, error_description: describable(text) };
}

/** Neither quotes nor backslashes nor anything beyond ASCII may stand in a description (RFC 6749, section 5.2). */
export function describable(text: string): string {
  return text.replaceAll('"', "'").replaceAll("\\", "/").replace(/[^\x20-\x7e]/g, "?");
}

/** Sends what goes wrong inside `act` to the client, now that its redirect URI is trusted (RFC 6749, section 4.1.2.1). */
export async function replyingTo<T>(replyTo: ReplyTo, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (cause instanceof OAuthError) {
      const { code, message, see, status, headers } = cause;
      throw new OAuthError(code, message, { see, status, headers, replyTo, cause: cause.cause });
    }
    throw new OAuthError("server_error", "The server met an unexpected condition.", { replyTo, cause });
  }
}
