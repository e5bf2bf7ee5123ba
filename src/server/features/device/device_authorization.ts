import { jsonResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { checkNoClientId } from "../../issuer/clients/client_audiences.ts";
import { authenticateRequest } from "../../issuer/clients/client_request.ts";
import type { RequestContext } from "../../issuer/context.ts";
import { chargeClientForStorage } from "../../issuer/limits/stored_bytes.ts";
import { issuerUrl } from "../../protocol/issuer_url.ts";
import { readDeviceRequest } from "./device_request.ts";
import { startDeviceFlow } from "./devices.ts";
import { deviceParts } from "./parts.ts";
import { pollInterval } from "./polling.ts";
import { formatUserCode } from "./user_code.ts";

/**
 * Starts the flow of a device without a browser: its user enters a code elsewhere (RFC 8628,
 * section 3.1).
 */
export async function deviceAuthorization(ctx: RequestContext): Promise<ResponseData> {
  const { client, parameters } = await authenticateRequest(ctx);
  const deviceRequest = readDeviceRequest(ctx.apply, parameters, client, ctx.settings);
  await checkNoClientId(ctx, deviceRequest.resources);
  chargeClientForStorage(ctx, client, deviceRequest);
  const { deviceCode, userCode } = await startDeviceFlow(ctx, deviceRequest);
  const { paths, lifetime } = deviceParts(ctx);
  const page = issuerUrl(ctx.settings.frontChannelUrl, paths.device);
  return jsonResponse({
    device_code: deviceCode,
    user_code: formatUserCode(userCode),
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${formatUserCode(userCode)}`,
    expires_in: lifetime,
    interval: pollInterval,
  });
}
