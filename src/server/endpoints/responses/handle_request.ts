import type { RequestedPath } from "../../config/events.ts";
import { wantsPage } from "../../http/accept.ts";
import { jsonResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { type RouteMatch, type RoutePattern, routeRules } from "../../http/router.ts";
import { type ActiveFeatures, featuresOf } from "../../issuer/active_features.ts";
import type { RequestContext } from "../../issuer/context.ts";
import { RedirectedError } from "../../protocol/authorization_response.ts";
import { errorBody, type OAuthError, toOAuthError, toRefusal } from "../../protocol/oauth_error.ts";
import { requireValue } from "../../protocol/rule.ts";
import { withoutUndefined } from "../../util/values/members.ts";
import type { Route } from "../route.ts";
import { authorizationErrorResponse, errorResponseFor } from "./error_responses.ts";
import { readableText } from "./readable_text.ts";

/** The methods of routes. On Deno, any token is a method, so another one may be a credential. */
const methods: readonly string[] = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"];

/** Responds to a request with its route. In the server, errors become responses here alone. */
export async function handleRequest(
  ctx: RequestContext,
  found: RouteMatch<Route>,
): Promise<ResponseData> {
  try {
    return await respondWithRoute(ctx, found);
  } catch (cause) {
    return await respondToError(ctx, found, cause);
  }
}

function respondWithRoute(
  ctx: RequestContext,
  { path, route, routes, segment, findNearest }: RouteMatch<Route>,
): ResponseData | Promise<ResponseData> {
  const { method } = ctx.request;
  // A GET of a page may consume something, which a HEAD before it must not do.
  const usable = method === "HEAD" && route?.kind === "page" ? undefined : route;
  const requested = { method, path, routes, route: usable, findNearest };
  ctx.apply(routeRules.address, ctx.request.headers);
  featuresOf(ctx).connectionProof?.check(ctx);
  ctx.apply(routeRules.written_path, path);
  // What wraps the server may refuse what the rules allow, and knows more about some paths.
  const { ofRequest } = ctx.hooks.refusals ?? {};
  if (ofRequest && (usable || routes.length === 0)) throw ofRequest;
  ctx.apply(routeRules.path, requested);
  const { handler } = requireValue(ctx.apply, routeRules.method, requested, usable);
  return handler(ctx, segment);
}

async function respondToError(
  ctx: RequestContext,
  found: RouteMatch<Route>,
  cause: unknown,
): Promise<ResponseData> {
  let error = toOAuthError(cause instanceof RedirectedError ? cause.cause : cause);
  const { method } = ctx.request;
  const location = describeRequested(method, found.path, found.routes[0], featuresOf(ctx));
  const report = () => {
    ctx.note({ error: error.code, brokenRule: error.details.rule });
    if (error.cause === undefined || error.status < 500) return;
    ctx.emit({ type: "server.failed", ...location, cause: error.cause });
  };
  const emitRefused = (status: number) => {
    const { received, expected, fix, ...refusal } = toRefusal(error);
    ctx.emit(withoutUndefined({
      type: "request.refused",
      ...location,
      status,
      ...refusal,
      ...featuresOf(ctx).loggedDetails?.(ctx, error),
      ...ctx.settings.hints && withoutUndefined({ received, expected }),
      // The longest fact of a line comes last.
      fix,
    }));
  };
  report();
  const response = await errorResponseOf(ctx, found, { cause, error }).catch((failure) => {
    // A page of the operator failed, or the envelope of the client: both errors have their event.
    emitRefused(error.status);
    error = toOAuthError(failure);
    report();
    return jsonResponse(errorBody(error), error.status);
  });
  emitRefused(response.status);
  return response;
}

/** Responds to what a handler threw, by the error that it becomes. */
async function errorResponseOf(
  ctx: RequestContext,
  { route, routes }: RouteMatch<Route>,
  { cause, error }: { cause: unknown; error: OAuthError },
): Promise<ResponseData> {
  if (cause instanceof RedirectedError) {
    return await authorizationErrorResponse(ctx, cause, error);
  }
  const { kind = wantsPage(ctx.request.headers) ? "page" : "api" } = route ?? routes[0] ?? {};
  return await errorResponseFor(ctx, error, kind);
}

/**
 * Describes a request for its events. A known path is that of its route, because the path itself
 * may contain the id of an interaction. Codes of features and random-looking parts of any other are
 * left out: they may be credentials.
 */
export function describeRequested(
  sent: string,
  path: string | undefined,
  route: RoutePattern | undefined,
  features: ActiveFeatures,
): RequestedPath {
  const method = methods.includes(sent) ? sent : "other";
  if (route) return { method, path: route.path };
  return {
    method,
    path: "unknown",
    ...path !== undefined && { unknownPath: readableText(path, features) },
  };
}
