import { deviceParts } from "../../../src/server/features/device/parts.ts";
import type { PolledTables } from "../../../src/server/features/device/polled_credential.ts";
import { findActiveAuthorization } from "../../../src/server/issuer/authorizations/active_authorization.ts";
import type { Context } from "../../../src/server/issuer/context.ts";
import type { ServerNode } from "../../model/server_node.ts";

/** Whether a credential of devices can be used now, for the model of the store. */
export const deviceActivity = { "device code": activityOf(deviceParts) };

/** Returns what tells whether a credential with which a client polls can be used now. */
export function activityOf(tablesOf: (ctx: Context) => PolledTables) {
  return async ({ server: { context } }: ServerNode, secret: string): Promise<boolean> => {
    const { credentials, decisions } = tablesOf(context);
    const row = await credentials.get(secret);
    if (!row || row.usedAt !== undefined) return false;
    const decision = await decisions.find(row.value.waiting.id);
    if (!decision || decision.denied) return false;
    return await findActiveAuthorization(context, decision) !== undefined;
  };
}
