import { json } from "../http/answer.ts";
import type { Client } from "../protocol/client.ts";
import { isPublic } from "../protocol/client.ts";
import { refuseClient } from "../protocol/client_authentication.ts";
import { isMeantFor } from "../protocol/access_token.ts";
import { required } from "../protocol/parameters.ts";
import { formatScope } from "../protocol/scope.ts";
import { readClientRequest } from "../issuer/client_request.ts";
import type { Context } from "../issuer/context.ts";
import type { StandingToken } from "../issuer/standing.ts";
import { findStandingToken } from "../issuer/standing.ts";

/** Tells whoever may know what a token is worth (RFC 7662). */
export async function introspect(ctx: Context, request: Request): Promise<Response> {
  const { client, parameters } = await readClientRequest(ctx, request);
  if (isPublic(client)) throw refuseClient("Introspection is for clients that authenticate.");
  const found = await findStandingToken(ctx, required(parameters, "token", "RFC 7662, section 2.1"));
  return json(found && mayKnow(client, found) ? describeToken(ctx, found) : { active: false });
}

/** To everybody else a token is inactive; otherwise introspection would be a key to every token (RFC 7662, section 4). */
function mayKnow(client: Client, token: StandingToken): boolean {
  if (client.introspect === "any" || token.client.id === client.id) return true;
  return token.kind === "access" && client.resources.some((resource) => isMeantFor(token.claims, resource));
}

function describeToken(ctx: Context, token: StandingToken) {
  // Whoever knows a person by a pairwise subject shall not learn the name that others share.
  const username = token.client.subjectType === "public" ? token.standing?.user.name : undefined;
  if (token.kind === "access") return { active: true, ...token.claims, token_type: token.claims.cnf ? "DPoP" : "Bearer", username };
  const { subject, scope } = token.standing.authorization;
  return {
    active: true,
    // An API must not take it for an access token.
    token_use: "refresh_token",
    iss: ctx.settings.issuer,
    sub: subject,
    client_id: token.client.id,
    scope: formatScope(scope),
    exp: Math.floor(token.expiresAt / 1000),
    username,
  };
}
