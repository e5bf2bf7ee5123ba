import { redirectResponse } from "../../http/response.ts";
import type { HeaderList, ResponseData } from "../../http/response_data.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { signResponse } from "../../issuer/requests/signed_responses.ts";
import {
  responseLocation,
  type ResponseParameters,
} from "../../protocol/authorization_response.ts";
import type { ResponseTarget } from "../../protocol/response_target.ts";
import { authorizationPageResponse, frameProps } from "./page_response.ts";

/** Makes an authorization response. Its `iss` prevents mix-up attacks (RFC 9207). */
export async function authorizationResponse(
  ctx: RequestContext,
  target: ResponseTarget,
  parameters: ResponseParameters,
  headers: HeaderList = [],
): Promise<ResponseData> {
  const members = await completeParameters(ctx, target, parameters);
  if (target.mode !== "form_post") {
    return redirectResponse(responseLocation(target, members), headers);
  }
  const { redirectUri } = target;
  const page = ctx.settings.pages.formPost({ ...await frameProps(ctx), redirectUri, members });
  return await authorizationPageResponse(page, 200, headers);
}

/**
 * Adds what every authorization response contains, and signs it if the client asked for that (JARM,
 * section 2.1).
 */
export async function completeParameters(
  ctx: Context,
  { state, signing }: ResponseTarget,
  parameters: ResponseParameters,
): Promise<ResponseParameters> {
  const complete = { ...parameters, state, iss: ctx.settings.issuer };
  return signing ? { response: await signResponse(ctx, complete, signing) } : complete;
}
