/** How logs, metrics, pages and docs identify a rule. */
export interface RuleSummary {
  /** Never changes its meaning: `"code.redirect_uri"`. */
  readonly id: string;
  /** What must hold: `"The 'typ' of the proof must be 'dpop+jwt'"`. */
  readonly title: string;
  /** The section that requires it: `"OAuth 2.1, section 4.1.3"`. */
  readonly see: string;
  /** The parameter or header that it is about. */
  readonly parameter?: string | undefined;
  /** How to fix a request that breaks it, where that says more than the title. */
  readonly fix?: string | undefined;
}

/** An error code that a client can receive. */
export type ErrorCode =
  // RFC 6749, sections 4.1.2.1 and 5.2
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "invalid_scope"
  | "access_denied"
  | "server_error"
  | "temporarily_unavailable"
  // OpenID Connect Core, section 3.1.2.6
  | "login_required"
  | "consent_required"
  | "account_selection_required"
  | "interaction_required"
  | "invalid_request_uri"
  | "invalid_request_object"
  | "request_not_supported"
  | "request_uri_not_supported"
  | "registration_not_supported"
  // OpenID Connect Core Error Code unmet_authentication_requirements
  | "unmet_authentication_requirements"
  // RFC 6750, section 3.1
  | "invalid_token"
  | "insufficient_scope"
  // RFC 8628, section 3.5
  | "authorization_pending"
  | "slow_down"
  | "expired_token"
  // OpenID Connect Client-Initiated Backchannel Authentication, section 13
  | "unknown_user_id"
  | "missing_user_code"
  | "invalid_user_code"
  | "invalid_binding_message"
  // RFC 9470, section 3
  | "insufficient_user_authentication"
  // RFC 9449, sections 5 and 8
  | "invalid_dpop_proof"
  | "use_dpop_nonce"
  // RFC 8707, section 2
  | "invalid_target"
  // RFC 9396, section 5
  | "invalid_authorization_details"
  // RFC 7591, section 3.2.2
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "unapproved_software_statement"
  // HTTP
  | "not_found";

const defaultStatus = 400;

/** How many characters of a hint a header has: it may repeat what came, which may be long. */
const maxHint = 500;

/** The HTTP status of the codes where it is not the default. */
const statusByCode: Partial<Readonly<Record<ErrorCode, number>>> = {
  invalid_client: 401,
  invalid_token: 401,
  insufficient_user_authentication: 401,
  access_denied: 403,
  insufficient_scope: 403,
  not_found: 404,
  server_error: 500,
  temporarily_unavailable: 503,
};

/** The ways to present an access token (RFC 6750; RFC 9449, section 7.1). */
export type TokenScheme = "Bearer" | "DPoP";

/** One way to authenticate, for the `WWW-Authenticate` header (RFC 9110, section 11.6.1). */
export interface Challenge {
  /** The authentication scheme. */
  scheme: "Basic" | TokenScheme;
  /** Further parameters, such as `scope` or `algs`. */
  members?: Record<string, string>;
  /**
   * Whether it includes the error. A request without a token gets none (OAuth 2.1, section 5.3.1).
   */
  namesError: boolean;
  /** Whether it includes the error where challenges explain errors. */
  isExplained?: boolean;
}

/** What an error may have besides its code and message. */
export interface ErrorDetails {
  /** The section that requires the error: `"OAuth 2.1, section 4.1.3"`. */
  see?: string | undefined;
  /** The HTTP status. Default: the one of the code. */
  status?: number;
  /** Response headers, such as `Allow` or `Retry-After`. */
  headers?: Record<string, string>;
  /** What came, for developers: it may say more than an untrusted client should know. */
  received?: string | undefined;
  /** What was expected, for developers. */
  expected?: string | undefined;
  /** Whether a user came too late, or with a form of another page; the error page tells them. */
  isExpired?: boolean;
  /** Whether a newer request replaced the one of the page; the error page leads to the account. */
  isReplaced?: boolean;
  /** How the caller can authenticate instead. */
  challenges?: readonly Challenge[];
  /**
   * Whether the response has a body.
   *
   * @default true
   */
  hasBody?: boolean;
  /** The underlying error. It is reported in an event, never to the client. */
  cause?: unknown;
  /** The rule that the request breaks. */
  rule?: RuleSummary | undefined;
  /** How to fix this request, if not by the fix of the rule. */
  fix?: string | undefined;
  /** The parameter or header that the error is about. */
  parameter?: string | undefined;
  /** What logs say, if the message repeats what the request sent. Default: the message. */
  description?: string;
  /** What the broken rule was applied to. It may hold secrets. */
  facts?: unknown;
  /** The client that the user may not use: a page names it before the client learns. */
  deniedClient?: string | undefined;
}

/** An error for the developer of the client, in one plain sentence. */
export class OAuthError extends Error {
  /** Runtimes print it, and minified code would have another. */
  static override readonly name = "OAuthError";
  /** The name of the error class. */
  override readonly name = "OAuthError";
  /** The error code: `"invalid_request"`. */
  readonly code: ErrorCode;
  /** The HTTP status. */
  readonly status: number;
  /** What came and what was expected, in one line for developers; few servers show it. */
  readonly hint: string | undefined;
  /** How to fix the request; few servers show it. */
  readonly fix: string | undefined;
  /** What logs say: the message, unless it repeats what the request sent. */
  readonly description: string;
  /** What else it has. */
  readonly details: ErrorDetails;

  /** Creates an error; the message becomes the `error_description`. */
  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.status = details.status ?? statusByCode[code] ?? defaultStatus;
    this.hint = comparisonHint(details);
    this.fix = details.fix ?? details.rule?.fix;
    this.description = details.description ?? message;
    this.details = details;
  }
}

/** Why the server refused a request. */
export interface Refusal {
  /** The error code. */
  error: string;
  /** The rule that the request broke: `"code.redirect_uri"`. */
  rule?: string | undefined;
  /** The parameter or header that the rule is about; it may be missing. */
  parameter?: string | undefined;
  /** What is wrong, in one sentence. */
  description: string;
  /** The section that requires the error. */
  see?: string | undefined;
  /** What came: an untrusted client should not know it. */
  received?: string | undefined;
  /** What was expected. */
  expected?: string | undefined;
  /** How to fix the request. */
  fix?: string | undefined;
}

/** Returns what events have of an error. */
export function toRefusal(
  { code, description, fix, details }: OAuthError,
): Refusal & { error: ErrorCode } {
  const { received, expected, see, rule, parameter } = details;
  return { error: code, rule: rule?.id, parameter, description, see, received, expected, fix };
}

/** Returns what came and what was expected, in one line for developers. */
export function comparisonHint(
  { received, expected }: Pick<Refusal, "received" | "expected">,
): string | undefined {
  const sentences = [
    ...received === undefined ? [] : [`Received: ${quoteUrls(received)}.`],
    ...expected === undefined ? [] : [`Expected: ${quoteUrls(expected)}.`],
  ];
  return sentences.length > 0 ? sentences.join(" ") : undefined;
}

/** A full stop after a URL would look like a part of it, where each character matters. */
function quoteUrls(text: string): string {
  return text.replaceAll(/(?<!\S)\w[\w+.-]*:\/\/\S*?(?=,?\s|$)/g, "'$&'");
}

/** Returns an OAuthError as it is, and hides any other error behind a `server_error`. */
export function toOAuthError(cause: unknown): OAuthError {
  if (cause instanceof OAuthError) return cause;
  return new OAuthError("server_error", "The server encountered an unexpected condition.", {
    cause,
  });
}

/** The members that carry an error in every protocol. */
export type ErrorBody = {
  error: string;
  error_description: string;
  error_uri?: string;
};

/** What is added to errors for the developer of a client, where that is wanted. */
export interface ErrorHelp {
  /** Whether the hint is part of the description. */
  showsHint?: boolean;
  /** Whether challenges contain the error and its advice: some libraries read nothing else. */
  explainsChallenges?: boolean;
  /** The page about the request. */
  uri?: string | undefined;
}

export function errorBody(
  { code, message, hint, details: { see } }: OAuthError,
  { showsHint = false, uri }: ErrorHelp = {},
): ErrorBody {
  return describeError(code, [message, showsHint && hint, see && `See ${see}.`], uri);
}

/**
 * Formats an error for a challenge, if the challenge includes it. Some libraries show nothing else
 * of an error, so an explained one has the hint and the advice.
 */
export function challengeError(
  { code, message, hint, fix, details: { see } }: OAuthError,
  { namesError, isExplained = false }: Challenge,
  { showsHint = false, explainsChallenges = false, uri }: ErrorHelp = {},
): Partial<ErrorBody> {
  if (!namesError && !(isExplained && explainsChallenges)) return {};
  const shownHint = explainsChallenges && showsHint && hint?.slice(0, maxHint);
  const sentences = [message, shownHint, explainsChallenges && fix, see && `See ${see}.`];
  return describeError(code, sentences, uri);
}

function describeError(
  error: ErrorCode,
  sentences: ReadonlyArray<string | false | undefined>,
  uri: string | undefined,
): ErrorBody {
  // A description cannot contain everything (RFC 6749, section 5.2).
  const error_description = sentences.filter(Boolean).join(" ")
    .replaceAll('"', "'").replaceAll("\\", "/").replace(/[^\x20-\x7e]/g, "?");
  return { error, error_description, ...uri !== undefined && { error_uri: uri } };
}

/** Formats a challenge as a value of `WWW-Authenticate`. */
export function formatChallenge(
  { scheme, members }: Challenge,
  realm: string,
  error: Partial<ErrorBody> = {},
): string {
  const all = Object.entries({ realm, ...members, ...error });
  const parameters = all.map(([name, value]) => `${name}="${value.replace(/["\\]/g, "\\$&")}"`);
  return `${scheme} ${parameters.join(", ")}`;
}
