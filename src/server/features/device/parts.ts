import { type Context, serverPart } from "../../issuer/context.ts";
import { namesClient } from "../../issuer/records/records.ts";
import type { PolledRequest } from "../../protocol/pending_request.ts";
import { deviceLifetimes, devicePages, devicePaths } from "./config.ts";
import type { PolledCredential, PolledDecision, WaitingId } from "./polled_credential.ts";
import type { PollingState } from "./polling_rules.ts";

/** A validated device authorization request. The device polls for its response. */
export interface DeviceRequest extends PolledRequest {
  device: WaitingId;
}

/** What a server has for the device flow. */
export const deviceParts = serverPart(({ settings, limits, records: { open } }) => ({
  lifetime: deviceLifetimes.of(settings.lifetimes).deviceCode,
  paths: devicePaths.of(settings.paths),
  pages: devicePages.of(settings.pages),
  /** Limits on guesses at user codes. */
  guessLimits: limits.userGuesses(),
  credentials: open.secret<PolledCredential>("device-code", namesClient),
  /** Requests of devices, by a keyed digest of the user code. */
  userCodes: open.plain<DeviceRequest>("user-code", namesClient),
  decisions: open.plain<PolledDecision>("device-decision"),
  pollings: open.plain<PollingState>("polling"),
}));

export function isDeviceRequest(pending: PolledRequest): pending is DeviceRequest {
  return "device" in pending;
}

/** There are few user codes: a plain hash would not hide them from a reader of the store. */
export async function userCodeDigest(ctx: Context, userCode: string): Promise<string> {
  return await ctx.keys.derive("user-code", userCode);
}
