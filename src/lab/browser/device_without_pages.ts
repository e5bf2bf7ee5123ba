import { allowRequest } from "../../endpoints/interaction/consent.ts";
import { findRequestingClient } from "../../endpoints/interaction/decide_step.ts";
import type { Endpoint } from "../../endpoints/route.ts";
import { readForm, readQuery } from "../../http/body.ts";
import type { Context } from "../../issuer/context.ts";
import { findDeviceRequest } from "../../issuer/requests/devices.ts";
import type { User } from "../../model/user.ts";
import type { DeviceRequest } from "../../protocol/device_request.ts";
import { readUserCode } from "../../protocol/user_code.ts";
import { LabError } from "../lab_error.ts";
import type { WireRequest } from "../recording/exchange.ts";
import { allowFor } from "./hands_free_session.ts";

/**
 * Returns whether a request brings the user code of a device that waits, in a link or in the form.
 */
export async function bringsUserCode(
  ctx: Context,
  { endpoint, query, form }: WireRequest,
): Promise<boolean> {
  if (endpoint !== "device") return false;
  return await findDevice(ctx, query.get("user_code") ?? form.get("user_code")) !== undefined;
}

/** Signs a user in and allows the device whose user code the request brings. */
export function allowDeviceAtOnce(user: User): Endpoint {
  return async (ctx, request) => {
    const parameters = request.method === "POST"
      ? await readForm(ctx.apply, request)
      : readQuery(ctx.apply, request);
    const pending = await findDevice(ctx, parameters.get("user_code"));
    if (!pending) throw new LabError("Another request has just decided about this device.");
    const client = await findRequestingClient(ctx, request, pending);
    const { decision, headers } = await allowFor(ctx, request, { client, pending }, user);
    const response = await allowRequest(ctx, request, { ...decision, pending });
    for (const [name, value] of headers) response.headers.append(name, value);
    return response;
  };
}

async function findDevice(
  ctx: Context,
  text: string | null | undefined,
): Promise<DeviceRequest | undefined> {
  const userCode = readUserCode(text ?? "");
  return userCode === undefined ? undefined : await findDeviceRequest(ctx, userCode);
}
