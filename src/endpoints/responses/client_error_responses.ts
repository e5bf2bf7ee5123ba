import type { Context } from "../../issuer/context.ts";
import { findSession } from "../../issuer/sessions/sessions.ts";
import type { ErrorContinuation } from "../../pages/error.tsx";
import { type RedirectedError, responseLocation } from "../../protocol/authorization_response.ts";
import { mayRedirectError } from "../../protocol/client_trust.ts";
import { errorBody, type OAuthError } from "../../protocol/oauth_error.ts";
import { redirectReceiver } from "../../protocol/redirect_uri.ts";
import type { ResponseTarget } from "../../protocol/response_target.ts";
import { authorizationResponse, completeParameters } from "./client_responses.ts";
import { errorPageResponse } from "./error_responses.ts";

/** Tells a client of an error: by redirect where that is safe, otherwise by a page whose link the person may follow. */
export async function authorizationErrorResponse(
  ctx: Context,
  request: Request,
  { responseTarget: target, responseWasSent: wasAnswered }: RedirectedError,
  error: OAuthError,
): Promise<Response> {
  const { hints, errorsAfterSignIn } = ctx.settings;
  // A store that fails shows the error on our page, which needs none.
  const signedIn = errorsAfterSignIn &&
    await findSession(ctx, request).catch(() => undefined) !== undefined;
  if (!wasAnswered && mayRedirectError(target, { signedIn, onlyAfterSignIn: errorsAfterSignIn })) {
    return await authorizationResponse(ctx, target, errorBody(error, hints));
  }
  return errorPageResponse(ctx, error, {
    ...await continuationOf(ctx, target, error),
    wasAnswered,
  });
}

async function continuationOf(
  ctx: Context,
  target: ResponseTarget,
  error: OAuthError,
): Promise<ErrorContinuation> {
  const members = await completeParameters(ctx, target, errorBody(error));
  const receiver = redirectReceiver(target.redirectUri);
  if (target.mode === "form_post") return { receiver, action: target.redirectUri, members };
  return { receiver, href: responseLocation(target, members) };
}
