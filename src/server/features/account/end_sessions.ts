import { readForm } from "../../http/body.ts";
import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import type { RequestContext } from "../../issuer/context.ts";
import { checkFormToken, findBrowser } from "../../issuer/sessions/browsers.ts";
import { findSession } from "../../issuer/sessions/sessions.ts";
import { endSessionsWhere } from "../../issuer/sessions/user_sessions.ts";

/** Ends one session of the user, or all but that of this browser. */
export async function endSessions(ctx: RequestContext): Promise<ResponseData> {
  const form = await readForm(ctx);
  const signedIn = await findSession(ctx);
  if (!signedIn) return redirectResponse(`${ctx.settings.base}/account`);
  const { user, session: { sid: currentSid } } = signedIn;
  await checkFormToken(ctx, await findBrowser(ctx), endSessionsPurpose(currentSid), form);
  const chosen = form.get("session");
  await endSessionsWhere(
    ctx,
    user,
    ({ sid }) => sid !== currentSid && (chosen === "others" || chosen === sid),
  );
  return redirectResponse(`${ctx.settings.base}/account`);
}

/** Returns the purpose of the forms. They work only in the session that they were made for. */
export function endSessionsPurpose(sid: string): string {
  return `end sessions ${sid}`;
}
