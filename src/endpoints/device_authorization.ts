import { json } from "../http/answer.ts";
import { deviceCodeGrant } from "../protocol/device_request.ts";
import { issuerUrl } from "../protocol/issuer_url.ts";
import { OAuthError } from "../protocol/oauth_error.ts";
import { readCodeChallenge } from "../protocol/pkce.ts";
import { pollInterval } from "../protocol/polling.ts";
import { readResources } from "../protocol/resource.ts";
import { scopeWithin } from "../protocol/scope.ts";
import { formatUserCode } from "../protocol/user_code.ts";
import { readClientRequest } from "../issuer/client_request.ts";
import type { Context } from "../issuer/context.ts";
import { beginDevice } from "../issuer/devices.ts";

/** A device that cannot show a browser asks for a code that its person types elsewhere (RFC 8628, section 3.1). */
export async function deviceAuthorization(ctx: Context, request: Request): Promise<Response> {
  const { client, parameters } = await readClientRequest(ctx, request);
  if (!client.grantTypes.includes(deviceCodeGrant)) {
    throw new OAuthError("unauthorized_client", "This client may not use the device grant.", { see: "RFC 8628, section 3.1" });
  }
  const { deviceCode, userCode } = await beginDevice(ctx, client, {
    scope: scopeWithin(parameters.get("scope"), client.scopes, client.defaultScope),
    resources: readResources(parameters.all("resource"), ctx.settings.resources),
    codeChallenge: readCodeChallenge(parameters.get("code_challenge"), parameters.get("code_challenge_method"), false),
  });
  const page = issuerUrl(ctx.settings.issuer, "/device");
  return json({
    device_code: deviceCode,
    user_code: formatUserCode(userCode),
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${formatUserCode(userCode)}`,
    expires_in: ctx.settings.lifetimes.deviceCode,
    interval: pollInterval,
  });
}
