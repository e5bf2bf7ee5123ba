import type { HeaderList } from "../http/answer.ts";
import { refusal, refusalHeaders } from "../http/refusal.ts";
import type { OAuthError } from "../protocol/oauth_error.ts";
import type { Context } from "../issuer/context.ts";
import type { Audience } from "./route.ts";
import { frame, showPage } from "./show_page.ts";

/** Turns an error into an answer: a page for people, JSON for programs. */
export function refuse(ctx: Context, error: OAuthError, audience: Audience): Response {
  const { issuer, hints } = ctx.settings;
  return audience === "people" ? refuseWithPage(ctx, error, refusalHeaders(error, issuer)) : refusal(error, issuer, hints);
}

function refuseWithPage(ctx: Context, error: OAuthError, headers: HeaderList): Response {
  const hint = ctx.settings.hints ? error.hint : undefined;
  const page = ctx.settings.pages.error({ ...frame(ctx), error: error.code, description: error.message, hint, see: error.see });
  return showPage(page, error.status, headers);
}
