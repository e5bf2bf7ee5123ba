import type { ResponseData } from "../../http/response_data.ts";
import type { RequestContext } from "../../issuer/context.ts";
import { findSession } from "../../issuer/sessions/sessions.ts";
import type { ErrorContinuation } from "../../pages/error.tsx";
import { type RedirectedError, responseLocation } from "../../protocol/authorization_response.ts";
import { mayRedirectError } from "../../protocol/client_trust.ts";
import { errorBody, type OAuthError } from "../../protocol/oauth_error.ts";
import { describeReceiver } from "../../protocol/redirect_uri.ts";
import type { ResponseTarget } from "../../protocol/response_target.ts";
import { authorizationResponse, completeParameters } from "./client_responses.ts";
import { errorHelp, errorPageResponse } from "./error_responses.ts";

/**
 * Sends an error to the client: by redirect where that is safe, else through a link on our page.
 */
export async function authorizationErrorResponse(
  ctx: RequestContext,
  { responseTarget: target, responseWasSent }: RedirectedError,
  error: OAuthError,
): Promise<ResponseData> {
  const { frontChannelUrl, errorsAfterSignIn } = ctx.settings;
  // If the store fails, our page shows the error, and needs no session.
  const signedIn = errorsAfterSignIn &&
    await findSession(ctx).catch(() => undefined) !== undefined;
  const conditions = { signedIn, onlyAfterSignIn: errorsAfterSignIn };
  if (!responseWasSent && mayRedirectError(target, conditions)) {
    const members = errorBody(error, errorHelp(ctx, frontChannelUrl));
    return await authorizationResponse(ctx, target, members);
  }
  const continuation = await continuationOf(ctx, target, error);
  return await errorPageResponse(ctx, error, { ...continuation, responseWasSent });
}

async function continuationOf(
  ctx: RequestContext,
  target: ResponseTarget,
  error: OAuthError,
): Promise<ErrorContinuation> {
  const { uri } = errorHelp(ctx, ctx.settings.frontChannelUrl);
  const members = await completeParameters(ctx, target, errorBody(error, { uri }));
  const receiver = describeReceiver(target.redirectUri);
  if (target.mode === "form_post") return { receiver, action: target.redirectUri, members };
  return { receiver, href: responseLocation(target, members) };
}
