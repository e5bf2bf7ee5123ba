import { json } from "../http/answer.ts";
import { mediaType, readForm } from "../http/body.ts";
import { isMeantFor } from "../protocol/access_token.ts";
import { readBearerToken, refuseToken } from "../protocol/bearer.ts";
import { claimNames, pickClaims } from "../protocol/claims.ts";
import type { Parameters } from "../protocol/parameters.ts";
import { refuseRepeats } from "../protocol/parameters.ts";
import type { Context } from "../issuer/context.ts";
import { findStandingToken } from "../issuer/standing.ts";

const section = "OpenID Connect Core, section 5.3";

/** What the person behind a token lets the client know (OpenID Connect Core, section 5.3). */
export async function userinfo(ctx: Context, request: Request): Promise<Response> {
  const token = readBearerToken(request.headers.get("Authorization"), await readBody(request));
  const found = await findStandingToken(ctx, token);
  if (found?.kind !== "access" || !isMeantFor(found.claims, ctx.settings.issuer)) {
    throw refuseToken("invalid_token", "The access token is unknown, expired, revoked, or meant for another audience.", section);
  }
  const scope = found.claims.scope.split(" ");
  if (!found.standing || !scope.includes("openid")) {
    throw refuseToken("insufficient_scope", "The access token needs the scope 'openid'.", section);
  }
  return json({ ...pickClaims(found.standing.user.claims, claimNames(scope)), sub: found.claims.sub });
}

/** A token may come in a form; a body of any other type is not looked at. */
async function readBody(request: Request): Promise<Parameters | undefined> {
  if (request.method !== "POST" || mediaType(request) !== "application/x-www-form-urlencoded") return undefined;
  const form = await readForm(request);
  refuseRepeats(form);
  return form;
}
