import type { GrantResult, TokenRequest } from "../../grants/grant.ts";
import {
  type OneTimeCredential,
  requireActiveAuthorization,
  requireRow,
  useOnce,
} from "../../grants/one_time_credential.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { fromNow } from "../../issuer/time.ts";
import type { Client } from "../../model/client.ts";
import { narrowAccessRights, readRequestedAccess } from "../../protocol/access_request.ts";
import { checkCodeVerifier } from "../../protocol/pkce.ts";
import { requirePresent, requireValue } from "../../protocol/rule.ts";
import type { Row } from "../../store/store.ts";
import { deviceCodeRules, type Poll, recordPoll } from "./device_code_rules.ts";
import { type DeviceCode, deviceParts } from "./parts.ts";

/** Redeems a device code, once the user has decided (RFC 8628, section 3.4). */
export async function redeemDeviceCode(
  ctx: RequestContext,
  { client, parameters }: TokenRequest,
): Promise<GrantResult> {
  const request = {
    deviceCode: parameters.get("device_code"),
    codeVerifier: parameters.get("code_verifier"),
    access: readRequestedAccess(parameters, ctx.settings),
  };
  const secret = requirePresent(ctx.apply, deviceCodeRules.present, request.deviceCode);
  const deviceCode = await requireDeviceCode(ctx, client, secret);
  const { codeChallenge } = deviceCode.value;
  await checkCodeVerifier(ctx.apply, codeChallenge, request.codeVerifier);
  const { used, value: { device } } = deviceCode;
  ctx.apply(deviceCodeRules.in_time, { expiresAt: device.expiresAt, now: ctx.now(), used });
  const authorization = await requireActiveAuthorization(ctx, client, deviceCodeRules, {
    authorization: await requireDecision(ctx, deviceCode.value),
  });
  const credential = { ...deviceCode, authorization };
  return {
    entitlement: {
      ...narrowAccessRights(ctx.apply, request.access, authorization, ctx.settings),
      authorization,
    },
    use: useOnce(ctx, credential),
  };
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

/** Finds the device code, which must belong to this client. */
async function requireDeviceCode(
  ctx: Context,
  client: Client,
  secret: string,
): Promise<Omit<OneTimeCredential<DeviceCode>, "authorization">> {
  const { deviceCodes: table } = deviceParts(ctx);
  const row = await findDeviceCode(ctx, secret);
  const { value, usedAt } = requireRow(ctx, deviceCodeRules, row);
  ctx.apply(deviceCodeRules.client, { came: client.id, expected: value.clientId });
  ctx.apply(deviceCodeRules.same_client, { issuedTo: value.requestedBy, client });
  return { rules: deviceCodeRules, table, secret, value, used: usedAt !== undefined };
}

/** Returns the id of the authorization, once the user has allowed it. */
async function requireDecision(ctx: Context, { device }: DeviceCode): Promise<string> {
  const decision = await deviceParts(ctx).decisions.find(device.id);
  ctx.apply(deviceCodeRules.interval, decision ? undefined : await storePoll(ctx, device.id));
  const decided = requirePresent(ctx.apply, deviceCodeRules.decided, decision);
  const authorization = decided.denied ? undefined : decided.authorization;
  return requireValue(ctx.apply, deviceCodeRules.allowed, { authorization }, authorization);
}

/** Stores the poll. If two arrive at once, one may not be counted; it affects the rate only. */
async function storePoll(ctx: Context, deviceId: string): Promise<Poll> {
  const { pollings, lifetime } = deviceParts(ctx);
  const poll = recordPoll(await pollings.find(deviceId), ctx.now());
  await pollings.put(deviceId, poll.polling, fromNow(ctx, lifetime));
  return poll;
}
