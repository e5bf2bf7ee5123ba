import { cibaParts } from "../../../src/server/features/ciba/parts.ts";
import { idPrefix } from "../../../src/server/issuer/records/row_id.ts";
import { findUser } from "../../../src/server/issuer/users/users.ts";
import type { ServerNode } from "../../model/server_node.ts";
import { activityOf } from "../device/model_activity.ts";

/** Whether a credential of CIBA can be used now, for the model of the store. */
export const cibaActivity = {
  auth_req_id: activityOf(cibaParts),
  "asked user": isAsked,
  "open request": isOpen,
};

/** Whether a user can still decide about a request. */
async function isOpen({ server: { context } }: ServerNode, authReqId: string): Promise<boolean> {
  const { credentials, decisions } = cibaParts(context);
  const row = await credentials.get(authReqId);
  return row !== undefined && await decisions.find(row.value.waiting.id) === undefined;
}

/** Whether one request waits for a user, for whose answer its client can poll. */
async function isAsked({ server: { context } }: ServerNode, name: string): Promise<boolean> {
  const { requests, credentials } = cibaParts(context);
  const { subject = "" } = await findUser(context, name) ?? {};
  const [first, ...others] = await requests.list(idPrefix(subject));
  const ids = await credentials.list();
  return others.length === 0 &&
    ids.some(([, { waiting }]) => waiting.id === first?.[1].backchannel.id);
}
