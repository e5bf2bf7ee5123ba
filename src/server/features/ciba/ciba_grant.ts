import type { GrantResult, TokenRequest } from "../../grants/grant.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { readRequestedAccess } from "../../protocol/access_request.ts";
import { requirePresent } from "../../protocol/rule.ts";
import type { Row } from "../../store/store.ts";
import { type PolledCredential, redeemPolled } from "../device/polled_credential.ts";
import { pollingRules } from "../device/polling_rules.ts";
import { cibaParts } from "./parts.ts";

const authReqIdRules = pollingRules({
  parameter: "auth_req_id",
  see: "OpenID Connect CIBA, section 10.1",
  seeSecondUse: "OpenID Connect CIBA, section 10.1",
  seeErrors: "OpenID Connect CIBA, section 11",
  poller: "client",
  response: "authentication response",
  restart: "Send another backchannel authentication request.",
});

/** Redeems an `auth_req_id`, once the user has decided (CIBA, section 10.1). */
export async function redeemAuthReqId(
  ctx: RequestContext,
  { client, parameters }: TokenRequest,
): Promise<GrantResult> {
  const access = readRequestedAccess(parameters, ctx.settings);
  const secret = requirePresent(ctx.apply, authReqIdRules.present, parameters.get("auth_req_id"));
  const row = await findAuthReqId(ctx, secret);
  const tables = cibaParts(ctx);
  return await redeemPolled(ctx, client, { rules: authReqIdRules, tables, secret, row, access });
}

/** Finds the row of an `auth_req_id`, even if it expired, and notes what it concerns. */
export async function findAuthReqId(
  ctx: Context,
  authReqId: string,
): Promise<Row<PolledCredential> | undefined> {
  const row = await cibaParts(ctx).credentials.getStored(authReqId);
  if (row) ctx.note({ backchannelRequest: row.value.waiting.id });
  return row;
}
