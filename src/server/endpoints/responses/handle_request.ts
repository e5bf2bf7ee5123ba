import type { RequestedPath } from "../../config/events.ts";
import type { Settings } from "../../config/settings.ts";
import { wantsPage } from "../../http/accept.ts";
import { allowScripts, preflightResponse } from "../../http/cors.ts";
import type { IncomingRequest } from "../../http/incoming_request.ts";
import { jsonResponse } from "../../http/response.ts";
import { type ResponseData, withoutBody } from "../../http/response_data.ts";
import {
  createRouter,
  methodsOf,
  requestPath,
  type RouteMatch,
  type RoutePattern,
  routeRules,
} from "../../http/router.ts";
import { type ActiveFeatures, featuresOf } from "../../issuer/active_features.ts";
import type { Context, RequestContext, RequestObserver } from "../../issuer/context.ts";
import { createProxyWatch, type CreateRequestContext } from "../../issuer/create_context.ts";
import { isPublic } from "../../model/client.ts";
import { RedirectedError } from "../../protocol/authorization_response.ts";
import { wellKnownPaths } from "../../protocol/issuer_url.ts";
import { errorBody, type OAuthError, toOAuthError, toRefusal } from "../../protocol/oauth_error.ts";
import { requireValue } from "../../protocol/rule.ts";
import { withoutUndefined } from "../../util/values/members.ts";
import { lazily } from "../../util/values/memoize.ts";
import type { Route } from "../route.ts";
import { authorizationErrorResponse, errorResponseFor } from "./error_responses.ts";
import { readableText } from "./readable_text.ts";

/** What the router finds for a URL that cannot be read. */
const noMatch: RouteMatch<Route> = { path: undefined, routes: [], segment: "" };

/** The methods of routes. On Deno, any token is a method, so another one may be a credential. */
const methods: readonly string[] = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"];

/** Responds to a request. What wraps the server may observe it. */
export type Responder = (
  request: IncomingRequest,
  observer?: RequestObserver,
) => Promise<ResponseData>;

/** A test suite opens many servers; the routes of one are compiled when its first request comes. */
export function createResponder(
  ctx: Context,
  contextOf: CreateRequestContext,
  table: readonly Route[],
): Responder {
  const router = lazily(() =>
    createRouter(table.flatMap((route) => atFullPaths(ctx.settings, route)))
  );
  const watchForProxies = createProxyWatch(ctx.settings, ctx.emit);

  return async (request, observer) => {
    const requestCtx = contextOf(request, observer);
    watchForProxies(requestCtx);
    const { method, headers } = request;
    const path = requestPath(request);
    const match = path === undefined ? noMatch : router()(method, path);
    const { route, routes } = match;
    const hasCors = routes.some(({ cors }) => cors);
    let response: ResponseData;
    if (method === "OPTIONS" && hasCors) {
      response = preflightResponse(headers, methodsOf(routes));
    } else {
      response = await handleRequest(requestCtx, match);
      const credentialed = route?.credentials ? scriptOriginOf(requestCtx) : undefined;
      if (hasCors) response = allowScripts(response, credentialed);
      if (method === "HEAD") response = withoutBody(response);
    }
    const requested = describeRequested(method, path, route ?? routes[0], featuresOf(ctx));
    const { error } = requestCtx.facts;
    const outcome = { status: response.status, ...error && { error } };
    requestCtx.emit({ type: "request.handled", ...requested, ...outcome });
    ctx.maintain();
    return response;
  };
}

/** Returns a route once for each path at which it is served, with the path of the issuer. */
function atFullPaths({ issuer, base }: Settings, route: Route): Route[] {
  const paths = route.wellKnown ? wellKnownPaths(issuer, route.path) : [`${base}${route.path}`];
  return paths.map((path) => ({ ...route, path }));
}

/**
 * Returns the origin whose scripts may read the response although they sent credentials, as some
 * libraries always do. It is the origin of one of a public client's redirect URIs, which sees the
 * tokens anyway. With an Authorization header there is none: a browser with a cached password adds
 * that header on its own.
 */
function scriptOriginOf({ request, client }: RequestContext): string | undefined {
  const origin = request.headers.get("Origin");
  if (origin === null || !client || !isPublic(client) || request.headers.has("Authorization")) {
    return undefined;
  }
  // A private scheme has no origin: the URL parser returns "null", like a browser for opaque ones.
  const origins = client.redirectUris.filter((uri) => /^https?:/i.test(uri));
  return origins.some((uri) => new URL(uri).origin === origin) ? origin : undefined;
}

/** Responds to a request with its route. In the server, errors become responses here alone. */
async function handleRequest(
  ctx: RequestContext,
  found: RouteMatch<Route>,
): Promise<ResponseData> {
  const { path, route, routes, segment, findNearest } = found;
  const { method, headers } = ctx.request;
  // A GET of a page may consume something, which a HEAD before it must not do.
  const usable = method === "HEAD" && route?.kind === "page" ? undefined : route;
  const requested = { method, path, routes, route: usable, findNearest };
  try {
    ctx.apply(routeRules.address, headers);
    featuresOf(ctx).connectionProof?.check(ctx);
    ctx.apply(routeRules.written_path, path);
    // What wraps the server may refuse what the rules allow, and knows more about some paths.
    const { ofRequest } = ctx.hooks.refusals ?? {};
    if (ofRequest && (usable || routes.length === 0)) throw ofRequest;
    ctx.apply(routeRules.path, requested);
    const { handler } = requireValue(ctx.apply, routeRules.method, requested, usable);
    return await handler(ctx, segment);
  } catch (cause) {
    return await respondToError(ctx, found, cause);
  }
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
function describeRequested(
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
