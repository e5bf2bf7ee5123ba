import type { HeaderList } from "../http/answer.ts";
import { empty, json } from "../http/answer.ts";
import { bearerChallenge } from "../protocol/bearer.ts";
import type { OAuthError } from "../protocol/oauth_error.ts";
import { describable, wireError } from "../protocol/oauth_error.ts";
import type { Context } from "../issuer/context.ts";
import { sendReply } from "./reply.ts";
import type { Route } from "./route.ts";
import { frame, showPage } from "./show_page.ts";

/** Turns an error into an answer: a redirect once somebody trusted waits for it, else a page or JSON. */
export function refusal(ctx: Context, error: OAuthError, route: Pick<Route, "for" | "challenge"> | undefined): Response {
  if (error.replyTo) return sendReply(ctx, error.replyTo, { ...wireError(error) });
  const headers = Object.entries(error.headers);
  if (route?.for === "people") return errorPage(ctx, error, headers);
  if (error.code === "no_token") return empty(error.status, [["WWW-Authenticate", bearerChallenge(ctx.config.issuer)]]);
  return json(wireError(error), error.status, [...headers, ...challenge(ctx, error, route)]);
}

function errorPage(ctx: Context, error: OAuthError, headers: HeaderList): Response {
  const page = ctx.config.pages.error({ ...frame(ctx), error: error.code, description: error.message, see: error.see });
  return showPage(page, error.status, headers);
}

/** Every 401 names a way to authenticate (OAuth 2.1, sections 3.2.4 and 5.3.1). */
function challenge(ctx: Context, error: OAuthError, route: Pick<Route, "challenge"> | undefined): HeaderList {
  const realm = ctx.config.issuer;
  if (route?.challenge === "Bearer") return [["WWW-Authenticate", bearerChallenge(realm, wireError(error))]];
  return error.status === 401 ? [["WWW-Authenticate", `Basic realm="${describable(realm)}", charset="UTF-8"`]] : [];
}
