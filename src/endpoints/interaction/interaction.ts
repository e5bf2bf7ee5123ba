import type { Context } from "../../issuer/context.ts";
import { findInteraction, finishInteraction } from "../../issuer/requests/interactions.ts";
import { findBrowser } from "../../issuer/sessions/browsers.ts";
import { findSession } from "../../issuer/sessions/sessions.ts";
import { redirectErrorsTo } from "../../protocol/authorization_response.ts";
import { pageResponse } from "../responses/page_response.ts";
import { findRequestingClient } from "./client_of.ts";
import { completeRequest } from "./conclude.ts";
import { decideStep } from "./decide_step.ts";
import { pageFor } from "./page_for.ts";

/** Shows the page of the next step, however often it is loaded, or answers the client where none is left. */
export async function interaction(ctx: Context, request: Request, id: string): Promise<Response> {
  const browser = await findBrowser(ctx, request);
  const pending = await findInteraction(ctx, id, browser);
  const { responseTarget } = pending.pending;
  const signedIn = await findSession(ctx, request);
  const client = await findRequestingClient(ctx, request, pending.pending);
  const decision = await redirectErrorsTo(
    responseTarget,
    () => decideStep(ctx, client, { ...pending, signedIn }),
  );
  if (decision.step !== "respond") {
    return pageResponse(await pageFor(ctx, decision, { id, browser: browser! }));
  }
  await finishInteraction(ctx, pending);
  return await redirectErrorsTo(responseTarget, () => completeRequest(ctx, decision));
}
