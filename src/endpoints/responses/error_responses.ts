import type { RouteKind } from "../../config/route_config.ts";
import { errorHeaders, errorResponse } from "../../http/response.ts";
import type { Context } from "../../issuer/context.ts";
import type { ErrorContinuation } from "../../pages/error.tsx";
import type { OAuthError } from "../../protocol/oauth_error.ts";
import { errorKind, retryAfter } from "./error_kind.ts";
import { frameProps, pageResponse } from "./page_response.ts";

/** Makes the response to an error: a page for users, JSON for programs. */
export function errorResponseFor(
  ctx: Context,
  request: Request,
  error: OAuthError,
  kind: RouteKind,
): Response {
  const { issuer, hints } = ctx.settings;
  if (kind === "page") return errorPageResponse(ctx, request, error);
  return errorResponse(error, issuer, hints);
}

/** Makes an error page, with a link to the application if it can be notified. */
export function errorPageResponse(
  ctx: Context,
  request: Request,
  error: OAuthError,
  continuation?: ErrorContinuation,
): Response {
  const { issuer, hints, pages } = ctx.settings;
  const { code, message: description, see } = error;
  const page = pages.error({
    ...frameProps(ctx, request),
    kind: errorKind(error),
    retryAfter: retryAfter(error),
    error: code,
    description,
    hint: hints ? error.hint : undefined,
    see,
    continuation,
  });
  return pageResponse(page, error.status, errorHeaders(error, issuer), {
    keepsOpener: continuation !== undefined,
  });
}
