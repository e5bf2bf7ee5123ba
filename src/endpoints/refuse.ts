import type { HeaderList } from "../http/answer.ts";
import { empty, json } from "../http/answer.ts";
import { formatChallenge } from "../protocol/challenge.ts";
import type { OAuthError } from "../protocol/oauth_error.ts";
import { wireError } from "../protocol/oauth_error.ts";
import type { Context } from "../issuer/context.ts";
import type { Audience } from "./route.ts";
import { frame, showPage } from "./show_page.ts";

/** Turns an error into an answer: a page for people, JSON for programs. */
export function refuse(ctx: Context, error: OAuthError, audience: Audience): Response {
  const headers = headersOf(ctx, error);
  if (audience === "people") return refuseWithPage(ctx, error, headers);
  if (error.code === "invalid_token" && !error.challenges.some(({ namesError }) => namesError)) return empty(error.status, headers);
  return json(wireError(error, ctx.settings.hints), error.status, headers);
}

function refuseWithPage(ctx: Context, error: OAuthError, headers: HeaderList): Response {
  const hint = ctx.settings.hints ? error.hint : undefined;
  const page = ctx.settings.pages.error({ ...frame(ctx), error: error.code, description: error.message, hint, see: error.see });
  return showPage(page, error.status, headers);
}

function headersOf(ctx: Context, error: OAuthError): HeaderList {
  const challenges = error.challenges.map((challenge) => formatChallenge(challenge, ctx.settings.issuer, wireError(error)));
  return [...Object.entries(error.headers), ...challenges.map((challenge) => ["WWW-Authenticate", challenge] as const)];
}
