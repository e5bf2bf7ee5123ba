import type { Context } from "../../issuer/context.ts";
import { findDeviceRequest } from "./devices.ts";
import { readUserCode } from "./user_code.ts";

// Loaded on first use.

export { deviceCodeGrant } from "./device_code_grant.ts";
export { allowDevice, denyDevice, findDeviceCode } from "./devices.ts";
export { deviceCaution, deviceDoneResponse } from "./user_code_page.ts";

/** Returns the id of the client on a device that waits for a user, by the code that it shows. */
export async function findDeviceClient(ctx: Context, text: string): Promise<string | undefined> {
  const userCode = readUserCode(text);
  return userCode === undefined ? undefined : (await findDeviceRequest(ctx, userCode))?.clientId;
}
