import {
  makeAuthorization,
  revokeAuthorization,
} from "../../issuer/authorizations/authorizations.ts";
import {
  type ConsentedRequest,
  storeConsented,
} from "../../issuer/authorizations/consented_request.ts";
import type { Context } from "../../issuer/context.ts";
import { fromNow, lastTokenExpiration } from "../../issuer/time.ts";
import type { Client } from "../../model/client.ts";
import { ruleSet } from "../../protocol/rule.ts";
import {
  type Device,
  type DeviceDecision,
  deviceParts,
  type DeviceRequest,
  userCodeDigest,
} from "./parts.ts";
import { readUserCode } from "./user_code.ts";

const about = {
  see: "RFC 8628, section 3.3",
  parameter: "user_code",
  error: "invalid_request",
  details: { isExpired: true },
} as const;

/** Users see the messages. */
const userCodeRules = ruleSet("user_code", about, {
  in_time: {
    must: "The code of the device must not have expired",
    message: "The code of this device has expired. Start again on the device.",
    holds: ({ expiresAt, now }: { expiresAt: number; now: number }) => expiresAt > now,
  },
  unused: {
    must: "The code of the device must not have been used before",
    message: "The code of this device was already used. Start again on the device.",
    holds: ({ isFirst }: { isFirst: boolean }) => isFirst,
  },
});

/** Finds the request of a device that waits for a decision, by the user code. */
export async function findDeviceRequest(
  ctx: Context,
  userCode: string,
): Promise<DeviceRequest | undefined> {
  const request = await deviceParts(ctx).userCodes.find(await userCodeDigest(ctx, userCode));
  if (!request) return undefined;
  ctx.note({ device: request.device.id });
  return await deviceParts(ctx).decisions.get(request.device.id) ? undefined : request;
}

/** Returns the id of the client on a device that waits for a user, by the code that it shows. */
export async function findDeviceClient(ctx: Context, text: string): Promise<string | undefined> {
  const userCode = readUserCode(text);
  return userCode === undefined ? undefined : (await findDeviceRequest(ctx, userCode))?.clientId;
}

export async function allowDevice(
  ctx: Context,
  allowed: ConsentedRequest<DeviceRequest>,
): Promise<void> {
  const { client, pending: deviceRequest, signedIn } = allowed;
  const { lifetime } = deviceParts(ctx);
  const authorization = await makeAuthorization(ctx, client, deviceRequest, signedIn, lifetime);
  await storeConsented(ctx, allowed, authorization);
  const decision = { authorization: authorization.id };
  const keepUntil = lastTokenExpiration(ctx, authorization);
  try {
    await decideDevice(ctx, deviceRequest.device, decision, keepUntil);
  } catch (cause) {
    await revokeAuthorization(ctx, authorization, "its device was decided about before");
    throw cause;
  }
  ctx.emit({
    type: "device.allowed",
    device: deviceRequest.device.id,
    authorization: authorization.id,
    client: client.id,
    user: signedIn.user.name,
  });
}

export async function denyDevice(
  ctx: Context,
  { device }: DeviceRequest,
  client: Client,
): Promise<void> {
  const keepUntil = fromNow(ctx, 2 * deviceParts(ctx).lifetime);
  await decideDevice(ctx, device, { denied: true }, keepUntil);
  ctx.emit({ type: "device.denied", device: device.id, client: client.id });
}

/**
 * A device is decided about once. If two browsers decide at the same time, one of them is too late.
 */
async function decideDevice(
  ctx: Context,
  { id, expiresAt }: Device,
  decision: DeviceDecision,
  keepUntil: number,
): Promise<void> {
  ctx.apply(userCodeRules.in_time, { expiresAt, now: ctx.now() });
  const isFirst = await deviceParts(ctx).decisions.add(id, decision, keepUntil);
  ctx.apply(userCodeRules.unused, { isFirst });
}
