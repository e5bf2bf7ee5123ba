import { json } from "../http/response.ts";
import { readClientRequest } from "../issuer/clients/client_request.ts";
import type { Context } from "../issuer/context.ts";
import { chargeClientForStorage } from "../issuer/limits/stored_bytes.ts";
import { startDeviceFlow } from "../issuer/requests/devices.ts";
import { readDeviceRequest } from "../protocol/device_request.ts";
import { issuerUrl } from "../protocol/issuer_url.ts";
import { pollInterval } from "../protocol/polling.ts";
import { formatUserCode } from "../protocol/user_code.ts";

/** A device that cannot show a browser asks for a code that its person types elsewhere (RFC 8628, section 3.1). */
export async function deviceAuthorization(ctx: Context, request: Request): Promise<Response> {
  const clientRequest = await readClientRequest(ctx, request);
  const wanted = readDeviceRequest(clientRequest.parameters, clientRequest.client, ctx.settings);
  chargeClientForStorage(ctx, clientRequest, wanted);
  const { deviceCode, userCode } = await startDeviceFlow(ctx, wanted);
  const page = issuerUrl(ctx.settings.frontChannelUrl, "/device");
  return json({
    device_code: deviceCode,
    user_code: formatUserCode(userCode),
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${formatUserCode(userCode)}`,
    expires_in: ctx.settings.lifetimes.deviceCode,
    interval: pollInterval,
  });
}
