import { interactionPath } from "../../endpoints/interaction/form.ts";
import { readForm } from "../../http/incoming_request.ts";
import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { featuresOf, type SignedInUser } from "../../issuer/active_features.ts";
import { findClient } from "../../issuer/clients/clients.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { chargeForStorage } from "../../issuer/limits/budget.ts";
import { startInteraction } from "../../issuer/requests/interactions.ts";
import {
  type Browser,
  checkFormToken,
  findBrowser,
  formToken,
} from "../../issuer/sessions/browsers.ts";
import { findSufficientSession } from "../../issuer/sessions/sessions.ts";
import type { User } from "../../model/user.ts";
import { accountPath } from "./account_sign_in.ts";
import type { WaitingRequestProps, WaitingRequestsProps } from "./waiting_list.tsx";

/** Begins an interaction about a request that waits for the user: sign-in if needed, consent. */
export async function openRequest(ctx: RequestContext): Promise<ResponseData> {
  const form = await readForm(ctx);
  const signedIn = await findSufficientSession(ctx);
  if (!signedIn) return redirectResponse(accountPath(ctx));
  const { user, session } = signedIn;
  const browser = await checkFormToken(ctx, await findBrowser(ctx), purposeFor(session.sid), form);
  const waiting = await featuresOf(ctx).waitingFor(ctx, user);
  const request = waiting.find(({ id }) => id === form.get("request"));
  // The user has decided in another tab, or it is too late: the page shows what is left.
  if (!request) return redirectResponse(accountPath(ctx));
  chargeForStorage(ctx, request.pending);
  return redirectResponse(
    interactionPath(ctx, await startInteraction(ctx, request.pending, browser)),
  );
}

export async function describeWaiting(
  ctx: Context,
  browser: Browser,
  { user, session }: SignedInUser,
): Promise<WaitingRequestsProps> {
  return {
    action: `${accountPath(ctx)}/requests`,
    formToken: await formToken(browser, purposeFor(session.sid)),
    requests: await requestsOf(ctx, user),
  };
}

async function requestsOf(ctx: Context, user: User): Promise<WaitingRequestProps[]> {
  const waiting = await featuresOf(ctx).waitingFor(ctx, user);
  return await Promise.all(waiting.map(async ({ id, pending, bindingMessage, expiresAt }) => {
    const client = await findClient(ctx, pending.clientId);
    return {
      id,
      clientId: pending.clientId,
      clientName: client?.name ?? pending.clientId,
      bindingMessage,
      timeLeft: Math.ceil((expiresAt - ctx.now()) / 1000),
    };
  }));
}

/** The forms work only in the session that they were made for. */
function purposeFor(sid: string): string {
  return `open request ${sid}`;
}
