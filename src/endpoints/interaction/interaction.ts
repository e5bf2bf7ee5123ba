import { replyingTo } from "../../protocol/redirected_error.ts";
import { knownBrowser } from "../../issuer/sessions/browsers.ts";
import type { Context } from "../../issuer/context.ts";
import { findInteraction, finishInteraction } from "../../issuer/requests/interactions.ts";
import { findSession } from "../../issuer/sessions/sessions.ts";
import { showPage } from "../answers/show_page.ts";
import { clientOf } from "./client_of.ts";
import { allow } from "./conclude.ts";
import { decideStep } from "./decide_step.ts";
import { pageFor } from "./page_for.ts";

/** Shows the page of the next step, however often it is loaded, or answers the client where none is left. */
export async function interaction(ctx: Context, request: Request, id: string): Promise<Response> {
  const browser = await knownBrowser(ctx, request);
  const waiting = await findInteraction(ctx, id, browser);
  const { replyTo } = waiting.asked;
  const signedIn = await findSession(ctx, request);
  const client = await clientOf(ctx, request, waiting.asked);
  const decision = await replyingTo(replyTo, () => decideStep(ctx, client, { ...waiting, signedIn }));
  if (decision.step !== "answer") return showPage(await pageFor(ctx, decision, { id, browser: browser! }));
  await finishInteraction(ctx, waiting);
  return await replyingTo(replyTo, () => allow(ctx, decision));
}
