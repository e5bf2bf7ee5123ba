import { readForm } from "../../http/body.ts";
import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { disconnectApp } from "../../issuer/authorizations/connected_apps.ts";
import type { RequestContext } from "../../issuer/context.ts";
import { checkFormToken, findBrowser } from "../../issuer/sessions/browsers.ts";
import { findSession } from "../../issuer/sessions/sessions.ts";
import { presenceRule } from "../../protocol/form_rules.ts";
import { requirePresent } from "../../protocol/rule.ts";

const clientIdIsPresent = presenceRule({
  at: "account",
  parameter: "client_id",
  see: "OAuth 2.1, section 7.9",
});

/** Removes everything that a user has allowed an application (OAuth 2.1, section 7.9). */
export async function removeAccess(ctx: RequestContext): Promise<ResponseData> {
  const form = await readForm(ctx);
  const signedIn = await findSession(ctx);
  if (!signedIn) return redirectResponse(`${ctx.settings.base}/account`);
  await checkFormToken(ctx, await findBrowser(ctx), removePurpose(signedIn.session.sid), form);
  const clientId = requirePresent(ctx.apply, clientIdIsPresent, form.get("client_id"));
  await disconnectApp(ctx, signedIn.user.subject, clientId, "the user removed it");
  return redirectResponse(`${ctx.settings.base}/account`);
}

/** Returns the purpose of the forms. They work only in the session that they were made for. */
export function removePurpose(sid: string): string {
  return `remove access ${sid}`;
}
