import { readForm } from "../../http/body.ts";
import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { disconnectApp } from "../../issuer/authorizations/disconnect_app.ts";
import type { RequestContext } from "../../issuer/context.ts";
import { checkFormToken, findBrowser } from "../../issuer/sessions/browsers.ts";
import { findSession } from "../../issuer/sessions/sessions.ts";
import { requiresParameter } from "../../protocol/form_rules.ts";
import { requirePresent } from "../../protocol/rule.ts";
import { ruleSet } from "../../protocol/rule_set.ts";

const about = { see: "OAuth 2.1, section 7.9", error: "invalid_request" } as const;

const accountRules = ruleSet("account", about, { client_id: requiresParameter("client_id") });

/** Removes everything that a user has allowed an application (OAuth 2.1, section 7.9). */
export async function removeAccess(ctx: RequestContext): Promise<ResponseData> {
  const form = await readForm(ctx);
  const signedIn = await findSession(ctx);
  if (!signedIn) return redirectResponse(`${ctx.settings.base}/account`);
  await checkFormToken(ctx, await findBrowser(ctx), removePurpose(signedIn.session.sid), form);
  const clientId = requirePresent(ctx.apply, accountRules.client_id, form.get("client_id"));
  await disconnectApp(ctx, signedIn.user.subject, clientId, "the user removed it");
  return redirectResponse(`${ctx.settings.base}/account`);
}

/** Returns the purpose of the forms. They work only in the session that they were made for. */
export function removePurpose(sid: string): string {
  return `remove access ${sid}`;
}
