import type { AuthorizationRequest } from "../protocol/authorization_request.ts";
import type { Client } from "../protocol/client.ts";
import type { Context } from "./context.ts";
import { after } from "./context.ts";
import { randomId, randomSecret } from "./random.ts";
import type { Authorization } from "./rows.ts";
import type { SignedIn } from "./sessions.ts";

/** Writes down what a person allowed, and hands out the code for it (OAuth 2.1, section 4.1.2). */
export async function issueCode(ctx: Context, client: Client, request: AuthorizationRequest, { session, user }: SignedIn): Promise<string> {
  const { lifetimes } = ctx.config;
  const authorization: Authorization = {
    id: randomId(),
    clientId: client.id,
    userName: user.name,
    subject: user.subject,
    sid: session.sid,
    scope: request.scope,
    resources: request.resources,
    authTime: session.authTime,
    issuingUntil: after(ctx, mayRefresh(client) ? lifetimes.refreshToken : lifetimes.code),
  };
  const code = randomSecret();
  const end = childrenEnd(ctx, authorization);
  await Promise.all([
    ctx.records.authorizations.put(authorization.id, authorization, end),
    ctx.records.authorizationsOf.put(`${encodeURIComponent(user.name)}/${authorization.id}`, null, end),
    ctx.records.codes.put(code, {
      authorization: authorization.id,
      redirectUri: request.replyTo.redirectUri,
      codeChallenge: request.codeChallenge,
      nonce: request.nonce,
    }, after(ctx, lifetimes.code)),
  ]);
  ctx.emit({ type: "code.issued", authorization: authorization.id, client: client.id, user: user.name, scope: request.scope });
  return code;
}

/** A client that may refresh gets a refresh token (OAuth 2.1, section 1.3.2 leaves it to the server). */
export function mayRefresh(client: Client): boolean {
  return client.grantTypes.includes("refresh_token");
}

/** When the last token that can come of an authorization ends, in milliseconds. */
export function childrenEnd(ctx: Context, authorization: Authorization): number {
  return authorization.issuingUntil + ctx.config.lifetimes.accessToken * 1000;
}

/** Takes an authorization back: everything that was issued from it, or will be a moment later, is dead at once. */
export async function revokeAuthorization(ctx: Context, authorization: Authorization, reason: string): Promise<void> {
  await ctx.records.authorizations.delete(authorization.id);
  await ctx.records.authorizationsOf.delete(`${encodeURIComponent(authorization.userName)}/${authorization.id}`);
  ctx.emit({ type: "authorization.revoked", authorization: authorization.id, client: authorization.clientId, reason });
}
