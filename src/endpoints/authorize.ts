import { readForm, readQuery } from "../http/body.ts";
import { redirect } from "../http/response.ts";
import type { Context } from "../issuer/context.ts";
import { chargeForStorage } from "../issuer/limits/stored_bytes.ts";
import { consumePushedRequest, startInteraction } from "../issuer/requests/interactions.ts";
import { pushRequest, type ResolvedRequest } from "../issuer/requests/pushed_requests.ts";
import { resolveRequest } from "../issuer/requests/resolve_request.ts";
import { findOrCreateBrowser } from "../issuer/sessions/browsers.ts";
import { findSession } from "../issuer/sessions/sessions.ts";
import { redirectErrorsTo } from "../protocol/authorization_response.ts";
import { findRequestingClient } from "./interaction/client_of.ts";
import { completeRequest } from "./interaction/conclude.ts";
import { decideStep } from "./interaction/decide_step.ts";
import { interactionPath } from "./interaction/paths.ts";

/** A client sends a person's browser here to ask for something (OAuth 2.1, section 4.1.1). */
export async function authorize(ctx: Context, request: Request): Promise<Response> {
  return await proceed(ctx, request, await resolveRequest(ctx, request, readQuery(request)));
}

/** A request by POST is kept, then named in a GET: only that brings the `SameSite=Lax` cookies along. */
export async function authorizeByPost(ctx: Context, request: Request): Promise<Response> {
  const parameters = await readForm(request);
  const { authorizationRequest } = await resolveRequest(ctx, request, parameters);
  const pushed = parameters.get("request_uri");
  if (pushed === undefined) chargeForStorage(ctx, request, authorizationRequest);
  return await redirectErrorsTo(authorizationRequest.responseTarget, async () => {
    const request_uri = pushed ??
      await pushRequest(ctx, authorizationRequest, ctx.settings.lifetimes.interaction);
    return redirect(
      `${ctx.settings.base}/oauth2/authorize?${new URLSearchParams({
        client_id: authorizationRequest.clientId,
        request_uri,
      })}`,
    );
  });
}

/** Answers at once where nothing is left to ask; otherwise sends the browser to the page that asks. */
async function proceed(
  ctx: Context,
  request: Request,
  { authorizationRequest, pushedId }: ResolvedRequest,
): Promise<Response> {
  const client = await findRequestingClient(ctx, request, authorizationRequest);
  const decision = await redirectErrorsTo(
    authorizationRequest.responseTarget,
    async () =>
      decideStep(ctx, client, {
        pending: authorizationRequest,
        signedIn: await findSession(ctx, request),
      }),
  );
  if (decision.step === "respond" && pushedId !== undefined) {
    await consumePushedRequest(ctx, pushedId, authorizationRequest);
  }
  if (decision.step !== "respond") chargeForStorage(ctx, request, authorizationRequest);
  return await redirectErrorsTo(authorizationRequest.responseTarget, async () => {
    if (decision.step === "respond") return await completeRequest(ctx, decision);
    const { browser, headers } = await findOrCreateBrowser(ctx, request);
    const { id } = await startInteraction(ctx, authorizationRequest, browser, pushedId);
    return redirect(interactionPath(ctx, id), headers);
  });
}
