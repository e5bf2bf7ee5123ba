import { json } from "../http/answer.ts";
import { mediaType, readForm } from "../http/body.ts";
import { readBearerToken } from "../protocol/bearer.ts";
import { claimsFor } from "../protocol/claims.ts";
import { OAuthError } from "../protocol/oauth_error.ts";
import type { Parameters } from "../protocol/parameters.ts";
import { refuseRepeats } from "../protocol/parameters.ts";
import type { Context } from "../issuer/context.ts";
import { findStandingToken } from "../issuer/standing.ts";

const section = "OpenID Connect Core, section 5.3";

/** What the person behind a token lets the client know (OpenID Connect Core, section 5.3). */
export async function userinfo(ctx: Context, request: Request): Promise<Response> {
  const token = readBearerToken(request.headers.get("Authorization"), await readBody(request));
  if (token === undefined) throw new OAuthError("no_token", "Send an access token.", { see: section });
  const found = await findStandingToken(ctx, token);
  if (!found || found.kind !== "access" || !isForUs(ctx, found.claims.aud)) {
    throw new OAuthError("invalid_token", "The access token is unknown, expired, revoked, or meant for another audience.", {
      see: section,
    });
  }
  const { standing } = found;
  const scope = String(found.claims.scope).split(" ");
  if (!standing || !scope.includes("openid")) {
    throw new OAuthError("insufficient_scope", "The access token needs the scope 'openid'.", { see: section });
  }
  return json({ ...claimsFor(scope, standing.user.claims), sub: found.claims.sub });
}

/** A token may come in a form; any other body is none of our business. */
async function readBody(request: Request): Promise<Parameters | undefined> {
  if (request.method !== "POST" || mediaType(request) !== "application/x-www-form-urlencoded") return undefined;
  const form = await readForm(request);
  refuseRepeats(form);
  return form;
}

function isForUs(ctx: Context, audience: string | string[] | undefined): boolean {
  return [audience].flat().includes(ctx.config.issuer);
}
