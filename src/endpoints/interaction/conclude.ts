import { issueCode } from "../../issuer/authorizations/codes.ts";
import type { Context } from "../../issuer/context.ts";
import { allowDevice, denyDevice } from "../../issuer/requests/devices.ts";
import { errorFactory } from "../../protocol/oauth_error.ts";
import { authorizationResponse } from "../responses/client_responses.ts";
import { frameProps, pageResponse } from "../responses/page_response.ts";
import type { SignedInDecision } from "./decide_step.ts";

const accessDenied = errorFactory("access_denied");

/** Ends a request that was allowed: the client gets its code, or the device its answer. */
export async function completeRequest(
  ctx: Context,
  { client, pending, signedIn }: SignedInDecision,
): Promise<Response> {
  if (pending.responseTarget) {
    return await authorizationResponse(ctx, pending.responseTarget, {
      code: await issueCode(ctx, client, pending, signedIn),
    });
  }
  await allowDevice(ctx, client, pending, signedIn);
  return pageResponse(
    ctx.settings.pages.deviceDone({ ...frameProps(ctx), clientName: client.name, allowed: true }),
  );
}

/** Ends a request that was not. */
export async function denyRequest(
  ctx: Context,
  { client, pending }: Pick<SignedInDecision, "client" | "pending">,
): Promise<Response> {
  if (pending.responseTarget) throw accessDenied("The user did not allow this.");
  await denyDevice(ctx, pending, client);
  return pageResponse(
    ctx.settings.pages.deviceDone({ ...frameProps(ctx), clientName: client.name, allowed: false }),
  );
}
