import { type Context, serverPart } from "../../issuer/context.ts";
import type { GuessLimits } from "../../issuer/limits/guess_limits.ts";
import { namesClient } from "../../issuer/records/records.ts";
import type { Table } from "../../issuer/records/table.ts";
import type { ClientReference } from "../../model/client.ts";
import type { PolledRequest } from "../../protocol/pending_request.ts";
import {
  deviceLifetimes,
  type DevicePages,
  devicePages,
  type DevicePaths,
  devicePaths,
} from "./config.ts";
import type { PollingState } from "./device_code_rules.ts";

/** A device that waits for its user. */
export interface Device {
  /** The id under which the response is stored. It is not a secret. */
  id: string;
  /** When the device gives up, in milliseconds. */
  expiresAt: number;
}

/** A validated device authorization request. The device polls for its response. */
export interface DeviceRequest extends PolledRequest {
  device: Device;
}

/** The code with which a device polls. */
export interface DeviceCode {
  device: Device;
  clientId: string;
  requestedBy: ClientReference;
  codeChallenge?: string | undefined;
}

/** What a user decided about a device. */
export type DeviceDecision = { denied?: undefined; authorization: string } | { denied: true };

/** What a server has for the device flow. */
interface DeviceParts {
  /** How long a device code lasts, in seconds. */
  lifetime: number;
  paths: Required<DevicePaths>;
  pages: DevicePages;
  /** Limits on guesses at user codes. */
  guessLimits: GuessLimits;
  deviceCodes: Table<DeviceCode>;
  /** Requests of devices, by a keyed digest of the user code. */
  userCodes: Table<DeviceRequest>;
  /** What users decided about devices, by the id of the device. */
  decisions: Table<DeviceDecision>;
  /** How devices have polled, by the id of the device. */
  pollings: Table<PollingState>;
}

function createParts({ settings, limits, records: { open } }: Context): DeviceParts {
  return {
    lifetime: deviceLifetimes.of(settings.lifetimes).deviceCode,
    paths: devicePaths.of(settings.paths),
    pages: devicePages.of(settings.pages),
    guessLimits: limits.userGuesses(),
    deviceCodes: open.secret("device-code", (code) => namesClient(code)),
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
