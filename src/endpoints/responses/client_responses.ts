import { type HeaderList, redirect } from "../../http/response.ts";
import type { Context } from "../../issuer/context.ts";
import { signResponse } from "../../issuer/requests/signed_responses.ts";
import {
  responseLocation,
  type ResponseParameters,
} from "../../protocol/authorization_response.ts";
import type { ResponseTarget } from "../../protocol/response_target.ts";
import { frameProps, pageResponse } from "./page_response.ts";

/** Sends an authorization response, with the `iss` that keeps clients from mixing servers up (RFC 9207). */
export async function authorizationResponse(
  ctx: Context,
  target: ResponseTarget,
  members: ResponseParameters,
  headers: HeaderList = [],
): Promise<Response> {
  const all = await completeParameters(ctx, target, members);
  if (target.mode !== "form_post") return redirect(responseLocation(target, all), headers);
  return pageResponse(
    ctx.settings.pages.formPost({
      ...frameProps(ctx),
      redirectUri: target.redirectUri,
      members: all,
    }),
    200,
    headers,
  );
}

/** What every authorization response holds besides; signed, where the client wants it so (JARM, section 2.1). */
export async function completeParameters(
  ctx: Context,
  { state, signedFor }: ResponseTarget,
  members: ResponseParameters,
): Promise<ResponseParameters> {
  const plain = { ...members, state, iss: ctx.settings.issuer };
  return signedFor ? { response: await signResponse(ctx, plain, signedFor) } : plain;
}
