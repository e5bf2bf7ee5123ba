import { replyingTo } from "../protocol/oauth_error.ts";
import { recogniseBrowser } from "../issuer/browsers.ts";
import type { Context } from "../issuer/context.ts";
import { findInteraction } from "../issuer/interactions.ts";
import { findSession } from "../issuer/sessions.ts";
import { answerWithCode, decideStep } from "./decide_step.ts";
import { pageFor } from "./interaction_pages.ts";
import { showPage } from "./show_page.ts";

/** Shows the page of the next step, or ends where none is left. A reload is harmless. */
export async function interaction(ctx: Context, request: Request, id: string): Promise<Response> {
  const browser = await recogniseBrowser(ctx, request);
  const { request: asked, chosen } = await findInteraction(ctx, id, browser);
  return await replyingTo(asked.replyTo, async () => {
    const decision = await decideStep(ctx, { asked, chosen, signedIn: await findSession(ctx, request) });
    if (decision.step === "answer") return await answerWithCode(ctx, decision);
    return showPage(await pageFor(ctx, decision, id, browser));
  });
}
