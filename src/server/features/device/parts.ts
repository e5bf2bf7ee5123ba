import { type Context, serverPart } from "../../issuer/context.ts";
import type { GuessLimits } from "../../issuer/limits/guess_limits.ts";
import { namesClient } from "../../issuer/records/records.ts";
import type { Table } from "../../issuer/records/table.ts";
import type { PolledRequest } from "../../protocol/pending_request.ts";
import {
  deviceLifetimes,
  type DevicePages,
  devicePages,
  type DevicePaths,
  devicePaths,
} from "./config.ts";
import type { PolledTables, WaitingId } from "./polled_credential.ts";

/** A validated device authorization request. The device polls for its response. */
export interface DeviceRequest extends PolledRequest {
  device: WaitingId;
}

/** What a server has for the device flow. */
interface DeviceParts extends PolledTables {
  paths: Required<DevicePaths>;
  pages: DevicePages;
  /** Limits on guesses at user codes. */
  guessLimits: GuessLimits;
  /** Requests of devices, by a keyed digest of the user code. */
  userCodes: Table<DeviceRequest>;
}

function createParts({ settings, limits, records: { open } }: Context): DeviceParts {
  return {
    lifetime: deviceLifetimes.of(settings.lifetimes).deviceCode,
    paths: devicePaths.of(settings.paths),
    pages: devicePages.of(settings.pages),
    guessLimits: limits.userGuesses(),
    credentials: open.secret("device-code", (code) => namesClient(code)),
    userCodes: open.plain("user-code", (request) => namesClient(request)),
    decisions: open.plain("device-decision"),
    pollings: open.plain("polling"),
  };
}

export const deviceParts = serverPart(createParts);

export function isDeviceRequest(pending: PolledRequest): pending is DeviceRequest {
  return "device" in pending;
}

/** There are few user codes: a plain hash would not hide them from a reader of the store. */
export async function userCodeDigest(ctx: Context, userCode: string): Promise<string> {
  return await ctx.keys.derive("user-code", userCode);
}
