import type { ConsentedRequest } from "../../issuer/authorizations/consented_request.ts";
import type { Context } from "../../issuer/context.ts";
import type { Client } from "../../model/client.ts";
import { ruleSet } from "../../protocol/rule.ts";
import { deviceParts, type DeviceRequest, userCodeDigest } from "./parts.ts";
import type { WaitingId } from "./polled_credential.ts";
import { allowPolled, denyPolled } from "./polled_decision.ts";
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
    title: "The code of the device must not have expired",
    message: "The code of this device has expired. Start again on the device.",
    holds: ({ expiresAt, now }: { expiresAt: number; now: number }) => expiresAt > now,
  },
  unused: {
    title: "The code of the device must not have been used before",
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
  const { client, pending: { device }, signedIn } = allowed;
  const authorization = await allowPolled(ctx, allowed, decided(ctx, device));
  ctx.emit({
    type: "device.allowed",
    device: device.id,
    authorization,
    client: client.id,
    user: signedIn.user.name,
  });
}

export async function denyDevice(
  ctx: Context,
  { device }: DeviceRequest,
  client: Client,
): Promise<void> {
  await denyPolled(ctx, decided(ctx, device));
  ctx.emit({ type: "device.denied", device: device.id, client: client.id });
}

function decided(ctx: Context, waiting: WaitingId) {
  return { waiting, rules: userCodeRules, tables: deviceParts(ctx) };
}
