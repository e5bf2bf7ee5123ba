import { refusal, refusalHeaders } from "../../http/refusal.ts";
import type { OAuthError } from "../../protocol/oauth_error.ts";
import type { Context } from "../../issuer/context.ts";
import type { Onward } from "../../pages/error.tsx";
import type { Audience } from "../route.ts";
import { frame, showPage } from "./show_page.ts";

/** Turns an error into an answer: a page for people, JSON for programs. */
export function refuse(ctx: Context, error: OAuthError, audience: Audience): Response {
  const { issuer, hints } = ctx.settings;
  return audience === "people" ? refuseWithPage(ctx, error) : refusal(error, issuer, hints);
}

/** A page for whoever sits in front of the browser; a way on to the application, where there is one. */
export function refuseWithPage(ctx: Context, error: OAuthError, onward?: Onward): Response {
  const { issuer, hints, pages } = ctx.settings;
  const { code, message: description, see } = error;
  const page = pages.error({ ...frame(ctx), error: code, description, hint: hints ? error.hint : undefined, see, onward });
  return showPage(page, error.status, refusalHeaders(error, issuer));
}
