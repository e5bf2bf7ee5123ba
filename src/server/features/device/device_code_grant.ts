import type { GrantResult, TokenRequest } from "../../grants/grant.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { readRequestedAccess } from "../../protocol/access_request.ts";
import { checkCodeVerifier } from "../../protocol/pkce.ts";
import { requirePresent } from "../../protocol/rule.ts";
import type { Row } from "../../store/store.ts";
import { type DeviceCode, deviceParts } from "./parts.ts";
import { redeemPolled, requirePolled } from "./polled_credential.ts";
import { pollingRules } from "./polling_rules.ts";

const deviceCodeRules = pollingRules({
  parameter: "device_code",
  see: "RFC 8628, section 3.4",
  seeSecondUse: "RFC 8628, section 3.4",
  seeErrors: "RFC 8628, section 3.5",
  poller: "device",
  response: "device response",
  restart: "Start the device flow again.",
});

/** Redeems a device code, once the user has decided (RFC 8628, section 3.4). */
export async function redeemDeviceCode(
  ctx: RequestContext,
  { client, parameters }: TokenRequest,
): Promise<GrantResult> {
  const sent = {
    deviceCode: parameters.get("device_code"),
    codeVerifier: parameters.get("code_verifier"),
    access: readRequestedAccess(parameters, ctx.settings),
  };
  const secret = requirePresent(ctx.apply, deviceCodeRules.present, sent.deviceCode);
  const tables = deviceParts(ctx);
  const credential = requirePolled(ctx, client, {
    rules: deviceCodeRules,
    table: tables.deviceCodes,
    secret,
    row: await findDeviceCode(ctx, secret),
  });
  const { codeChallenge, device: waiting } = credential.value;
  await checkCodeVerifier(ctx.apply, codeChallenge, sent.codeVerifier);
  return await redeemPolled(ctx, client, { credential, waiting, access: sent.access, tables });
}

/** Finds the row of a device code, even if it expired, and notes what it concerns. */
export async function findDeviceCode(
  ctx: Context,
  code: string,
): Promise<Row<DeviceCode> | undefined> {
  const row = await deviceParts(ctx).deviceCodes.getStored(code);
  if (row) ctx.note({ device: row.value.device.id });
  return row;
}
