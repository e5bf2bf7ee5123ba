import type { Context } from "../../issuer/context.ts";
import { randomId } from "../../issuer/random.ts";
import { numericDate } from "../../issuer/time.ts";
import { signForClient } from "../../issuer/tokens/issue_tokens.ts";
import { sidFor } from "../../issuer/users/users.ts";
import type { Client } from "../../model/client.ts";
import { minute } from "../../util/time/duration.ts";

/**
 * A logout token must not pass for an ID token: it has a type and an event, and no nonce (section
 * 2.4).
 */
export async function signLogoutToken(
  ctx: Context,
  client: Client,
  subject: string,
  sid?: string,
): Promise<string> {
  const iat = numericDate(ctx);
  const claims = {
    iss: ctx.settings.issuer,
    sub: subject,
    aud: client.id,
    iat,
    exp: iat + 2 * minute,
    jti: randomId(ctx),
    ...sid !== undefined && { sid: await sidFor(ctx, client, sid) },
    events: { "http://schemas.openid.net/event/backchannel-logout": {} },
  };
  return await signForClient(ctx, client, { typ: "logout+jwt", claims });
}
