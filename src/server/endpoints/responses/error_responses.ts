import type { RouteKind } from "../../config/route_config.ts";
import { errorHeaders, errorResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import type { RequestContext } from "../../issuer/context.ts";
import type { ErrorContinuation } from "../../pages/error.tsx";
import type { ErrorKind } from "../../pages/languages/words.ts";
import type { ErrorHelp, OAuthError } from "../../protocol/oauth_error.ts";
import { frameProps, pageResponse } from "./page_response.ts";

const kindByStatus: Readonly<Record<number, ErrorKind>> = {
  403: "denied",
  404: "notFound",
  405: "wrongMethod",
  429: "tooMany",
  503: "unavailable",
};

/** Makes the response to an error: a page for users, JSON for programs. */
export async function errorResponseFor(
  ctx: RequestContext,
  error: OAuthError,
  kind: RouteKind,
): Promise<ResponseData> {
  const { issuer, backChannelUrl } = ctx.settings;
  if (kind === "page") return await errorPageResponse(ctx, error);
  return errorResponse(error, issuer, errorHelp(ctx, backChannelUrl));
}

/** Returns what is added to an error for a client that reaches the server at an address. */
export function errorHelp(
  { settings, hooks: { errorUri } }: RequestContext,
  address: string,
): ErrorHelp {
  return {
    showsHint: settings.hints,
    explainsChallenges: errorUri !== undefined,
    uri: errorUri?.(address),
  };
}

/** Makes an error page, with a link to the application if it can be notified. */
export async function errorPageResponse(
  ctx: RequestContext,
  error: OAuthError,
  continuation?: ErrorContinuation,
): Promise<ResponseData> {
  const { issuer, hints, pages } = ctx.settings;
  const { code, message: description, see } = error;
  const page = pages.error({
    ...await frameProps(ctx),
    kind: errorKind(error),
    retryAfter: retryAfter(error),
    error: code,
    description,
    received: hints ? error.received : undefined,
    expected: hints ? error.expected : undefined,
    fix: hints ? error.advice : undefined,
    see,
    continuation,
    flowUrl: ctx.hooks.flowUrl?.(),
  });
  return await pageResponse(page, error.status, errorHeaders(error, issuer), {
    keepsOpener: continuation !== undefined,
  });
}

/** Returns what the page of an error is about, for a user. */
export function errorKind({ status, isExpired }: OAuthError): ErrorKind {
  if (isExpired) return "expired";
  return kindByStatus[status] ?? (status >= 500 ? "serverError" : "badRequest");
}

/** Returns in how many seconds to try again, if the error says so (RFC 9110, section 10.2.3). */
export function retryAfter({ headers }: OAuthError): number | undefined {
  const seconds = headers["Retry-After"];
  return seconds === undefined ? undefined : Number(seconds);
}
