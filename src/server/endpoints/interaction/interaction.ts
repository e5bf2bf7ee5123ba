import type { ResponseData } from "../../http/response_data.ts";
import type { RequestContext } from "../../issuer/context.ts";
import { findInteraction, finishInteraction } from "../../issuer/requests/interactions.ts";
import { findBrowser } from "../../issuer/sessions/browsers.ts";
import { findSession } from "../../issuer/sessions/sessions.ts";
import { redirectErrorsTo } from "../../protocol/authorization_response.ts";
import { authorizationPageResponse } from "../responses/page_response.ts";
import { findRequestingClient } from "./decide_step.ts";
import { answerFor, decideWithAnswer } from "./decide_with_answer.ts";
import { completeRequest } from "./finish_request.ts";
import { pageFor } from "./page_for.ts";

/**
 * Shows the page of the next step, however often it is loaded, or responds to the client after the
 * last one.
 */
export async function interaction(ctx: RequestContext, id: string): Promise<ResponseData> {
  const found = await findInteraction(ctx, id, await findBrowser(ctx));
  const { responseTarget } = found.pending;
  const signedIn = await findSession(ctx);
  const client = await findRequestingClient(ctx, found.pending);
  const answer = answerFor(ctx, found.pending, false);
  const decision = await redirectErrorsTo(
    responseTarget,
    () => decideWithAnswer(ctx, client, { ...found, signedIn, answer }),
  );
  if (decision.step !== "respond") {
    return await authorizationPageResponse(await pageFor(ctx, decision, found));
  }
  await finishInteraction(ctx, found);
  return await redirectErrorsTo(responseTarget, () => completeRequest(ctx, decision));
}
