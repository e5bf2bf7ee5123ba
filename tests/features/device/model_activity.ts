import { deviceParts } from "../../../src/server/features/device/parts.ts";
import { findActiveAuthorization } from "../../../src/server/issuer/authorizations/active_authorization.ts";
import type { ServerNode } from "../../model/server_node.ts";

/** Whether a credential of devices can be used now, for the model of the store. */
export const deviceActivity = { "device code": isDeviceCodeActive };

async function isDeviceCodeActive(
  { server: { context } }: ServerNode,
  code: string,
): Promise<boolean> {
  const row = await deviceParts(context).credentials.get(code);
  if (!row || row.usedAt !== undefined) return false;
  const decision = await deviceParts(context).decisions.find(row.value.waiting.id);
  if (!decision || decision.denied) return false;
  return await findActiveAuthorization(context, decision) !== undefined;
}
