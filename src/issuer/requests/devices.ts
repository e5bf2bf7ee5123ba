import type { Client } from "../../model/client.ts";
import type { Device, DeviceRequest } from "../../protocol/device_request.ts";
import { errorFactory } from "../../protocol/oauth_error.ts";
import { makeUserCode, userCodeBytes } from "../../protocol/user_code.ts";
import {
  childrenEnd,
  createAuthorization,
  revokeAuthorization,
} from "../authorizations/authorizations.ts";
import type { Context } from "../context.ts";
import { randomId, randomSecret } from "../random.ts";
import type { DeviceDecision } from "../records/rows.ts";
import type { SignedInUser } from "../sessions/sessions.ts";
import { after } from "../time.ts";

const temporarilyUnavailable = errorFactory("temporarily_unavailable");
const invalidRequest = errorFactory("invalid_request", "RFC 8628, section 3.3");

/** Gives a device the code with which it comes for its answer, and the code that its person types (RFC 8628, section 3.2). */
export async function startDeviceFlow(
  ctx: Context,
  wish: Omit<DeviceRequest, "device">,
): Promise<{ deviceCode: string; userCode: string }> {
  const { deviceCode: lifetime } = ctx.settings.lifetimes;
  const device: Device = { id: randomId(ctx), expiresAt: after(ctx, lifetime) };
  const { clientId, codeChallenge, scope } = wish;
  const userCode = await addUserCode(ctx, { ...wish, device });
  const deviceCode = randomSecret(ctx);
  // It stays a while longer, so that a device can be told that its time is over.
  await ctx.records.deviceCodes.put(
    deviceCode,
    { device, clientId, codeChallenge },
    after(ctx, 2 * lifetime),
  );
  ctx.emit({ type: "device.began", device: device.id, client: clientId, scope });
  return { deviceCode, userCode };
}

/** A code may be taken already. That five in a row are is next to impossible while the random bytes are random. */
const maxTries = 5;

async function addUserCode(ctx: Context, request: DeviceRequest): Promise<string> {
  for (let tries = 0; tries < maxTries; tries++) {
    const userCode = makeUserCode(ctx.settings.randomBytes(userCodeBytes));
    if (
      await ctx.records.userCodes.add(await keyOf(ctx, userCode), request, request.device.expiresAt)
    ) return userCode;
  }
  throw temporarilyUnavailable("No user code is free at this moment; try again.", {
    headers: { "Retry-After": "5" },
  });
}

/** The request of a device that still waits, by the code that its person typed. */
export async function findDeviceRequest(
  ctx: Context,
  userCode: string,
): Promise<DeviceRequest | undefined> {
  const request = await ctx.records.userCodes.find(await keyOf(ctx, userCode));
  if (!request) return undefined;
  return await ctx.records.deviceDecisions.get(request.device.id) ? undefined : request;
}

/** Lets a device have what it asked for. */
export async function allowDevice(
  ctx: Context,
  client: Client,
  deviceRequest: DeviceRequest,
  signedIn: SignedInUser,
): Promise<void> {
  const authorization = await createAuthorization(ctx, client, deviceRequest, signedIn);
  try {
    await decideDevice(
      ctx,
      deviceRequest.device,
      { authorization: authorization.id },
      childrenEnd(ctx, authorization),
    );
  } catch (cause) {
    await revokeAuthorization(ctx, authorization, "its device was answered before");
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

/** Lets a device know that its person did not want it. */
export async function denyDevice(
  ctx: Context,
  { device }: DeviceRequest,
  client: Client,
): Promise<void> {
  await decideDevice(
    ctx,
    device,
    { denied: true },
    after(ctx, 2 * ctx.settings.lifetimes.deviceCode),
  );
  ctx.emit({ type: "device.denied", device: device.id, client: client.id });
}

/** A device is answered once: of two who decide at the same time, one is told that it was too late. */
async function decideDevice(
  ctx: Context,
  { id, expiresAt }: Device,
  answer: DeviceDecision,
  keepUntil: number,
): Promise<void> {
  const inTime = expiresAt > ctx.now();
  if (inTime && await ctx.records.deviceDecisions.add(id, answer, keepUntil)) return;
  throw invalidRequest(
    `The code of this device ${
      inTime ? "was used already" : "has expired"
    }. Start again on the device.`,
  );
}

/** There are too few codes for a plain hash to hide them from whoever reads the store. */
async function keyOf(ctx: Context, userCode: string): Promise<string> {
  return await ctx.derive("user-code", userCode);
}
