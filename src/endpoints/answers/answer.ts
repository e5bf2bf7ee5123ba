import { wantsPage } from "../../http/accept.ts";
import { json } from "../../http/answer.ts";
import { pathOf } from "../../http/host.ts";
import type { Found } from "../../http/router.ts";
import { methodNotAllowed, notFound } from "../../http/router.ts";
import { OAuthError, toOAuthError, wireError } from "../../protocol/oauth_error.ts";
import { RedirectedError } from "../../protocol/redirected_error.ts";
import type { Context } from "../../issuer/context.ts";
import type { Audience, Route } from "../route.ts";
import { refuse } from "./refuse.ts";
import { replyWithError } from "./reply_with_error.ts";

/** Answers a request by what stands at its address. It is the one place where errors become answers. */
export async function answer(ctx: Context, request: Request, found: Found<Route>): Promise<Response> {
  try {
    return await dispatch(ctx, request, found);
  } catch (cause) {
    return await answerError(ctx, request, found, cause).catch((failure) => answerFailure(ctx, failure));
  }
}

function dispatch(ctx: Context, request: Request, { route, routes, segment }: Found<Route>): Response | Promise<Response> {
  if (routes.length === 0) throw pathOf(request) === undefined ? implausible() : notFound();
  // Pages act: a HEAD must not use up what the GET after it would.
  if (!route || (request.method === "HEAD" && route.for === "people")) throw methodNotAllowed(routes);
  return route.answer(ctx, request, segment);
}

function implausible(): OAuthError {
  return new OAuthError("invalid_request", "The request names no plausible host or address.");
}

async function answerError(ctx: Context, request: Request, { route, routes }: Found<Route>, cause: unknown): Promise<Response> {
  const error = toOAuthError(cause instanceof RedirectedError ? cause.cause : cause);
  const place = { method: request.method, path: routes[0]?.path ?? "unknown" };
  if (error.cause !== undefined && error.status >= 500) ctx.emit({ type: "server.failed", ...place, cause: error.cause });
  ctx.emit({ type: "request.refused", ...place, status: error.status, error: error.code, description: error.message });
  if (cause instanceof RedirectedError) return await replyWithError(ctx, request, cause, error);
  return refuse(ctx, error, (route ?? routes[0])?.for ?? audienceOf(request));
}

/** A page of the operator's own may fail as well. */
function answerFailure(ctx: Context, cause: unknown): Response {
  ctx.emit({ type: "server.failed", method: "", path: "", cause });
  return json(wireError(toOAuthError(cause)), 500);
}

/** Who asks for an address at which there is nothing. */
function audienceOf(request: Request): Audience {
  return wantsPage(request) ? "people" : "programs";
}
