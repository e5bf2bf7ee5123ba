import type { RouteKind } from "../../config/route_config.ts";
import { wantsPage } from "../../http/accept.ts";
import { jsonResponse } from "../../http/response.ts";
import { methodNotAllowed, notFound, requestPath, type RouteMatch } from "../../http/router.ts";
import type { Context } from "../../issuer/context.ts";
import { RedirectedError } from "../../protocol/authorization_response.ts";
import {
  errorBody,
  errorFactory,
  type OAuthError,
  toOAuthError,
} from "../../protocol/oauth_error.ts";
import type { Route } from "../route.ts";
import { authorizationErrorResponse } from "./client_error_responses.ts";
import { describeRefusal } from "./describe_refusal.ts";
import { describeRequested } from "./describe_requested.ts";
import { errorResponseFor } from "./error_responses.ts";

const invalidRequest = errorFactory("invalid_request");

/** Responds to a request with its route. This is the only place where errors become responses. */
export async function handleRequest(
  ctx: Context,
  request: Request,
  found: RouteMatch<Route>,
): Promise<Response> {
  try {
    return await dispatch(ctx, request, found);
  } catch (cause) {
    return await respondToError(ctx, request, found, cause).catch((failure) =>
      failureResponse(ctx, failure)
    );
  }
}

function dispatch(
  ctx: Context,
  request: Request,
  { route, routes, segment, findNearest }: RouteMatch<Route>,
): Response | Promise<Response> {
  if (routes.length === 0) {
    if (requestPath(request) === undefined) throw implausibleAddress();
    throw notFound(ctx.settings.hints ? describeNearest(findNearest?.()) : undefined);
  }
  // A GET of a page may consume something, which a HEAD before it must not do.
  if (!route || (request.method === "HEAD" && route.kind === "page")) {
    throw methodNotAllowed(routes, ctx.settings.hints ? describeNearest(routes[0]) : undefined);
  }
  return route.handler(ctx, request, segment);
}

/** Names the request that a client with a wrong one probably means; only a lab does. */
function describeNearest(nearest: Route | undefined): string | undefined {
  return nearest && `Did you mean ${nearest.method} ${nearest.path}?`;
}

function implausibleAddress(): OAuthError {
  return invalidRequest("The request names no plausible host or address.");
}

async function respondToError(
  ctx: Context,
  request: Request,
  { route, routes }: RouteMatch<Route>,
  cause: unknown,
): Promise<Response> {
  const error = toOAuthError(cause instanceof RedirectedError ? cause.cause : cause);
  const location = describeRequested(request.method, requestPath(request), routes[0]);
  ctx.note({ error: error.code });
  if (error.cause !== undefined && error.status >= 500) {
    ctx.emit({ type: "server.failed", ...location, cause: error.cause });
  }
  ctx.emit({
    type: "request.refused",
    ...location,
    status: error.status,
    error: error.code,
    ...await describeRefusal(ctx, request, error),
  });
  if (cause instanceof RedirectedError) {
    return await authorizationErrorResponse(ctx, request, cause, error);
  }
  return errorResponseFor(ctx, request, error, (route ?? routes[0])?.kind ?? routeKindOf(request));
}

/** The error page itself may fail: the operator may have replaced it. */
function failureResponse(ctx: Context, cause: unknown): Response {
  ctx.emit({ type: "server.failed", method: "", path: "", cause });
  return jsonResponse(errorBody(toOAuthError(cause)), 500);
}

/** Returns whether an unknown path gets a page or JSON. */
function routeKindOf(request: Request): RouteKind {
  return wantsPage(request) ? "page" : "api";
}
