import { cibaParts } from "../../../src/server/features/ciba/parts.ts";
import { findActiveAuthorization } from "../../../src/server/issuer/authorizations/active_authorization.ts";
import type { ServerNode } from "../../model/server_node.ts";

/** Whether a credential of CIBA can be used now, for the model of the store. */
export const cibaActivity = { auth_req_id: isAuthReqIdActive };

async function isAuthReqIdActive(
  { server: { context } }: ServerNode,
  authReqId: string,
): Promise<boolean> {
  const row = await cibaParts(context).authReqIds.get(authReqId);
  if (!row || row.usedAt !== undefined) return false;
  const decision = await cibaParts(context).decisions.find(row.value.waiting.id);
  if (!decision || decision.denied) return false;
  return await findActiveAuthorization(context, decision) !== undefined;
}
