import { json } from "../http/answer.ts";
import { readForm } from "../http/body.ts";
import type { Client } from "../protocol/client.ts";
import { isPublic } from "../protocol/client.ts";
import { refuseClient } from "../protocol/client_authentication.ts";
import { refuseRepeats, required } from "../protocol/parameters.ts";
import { authenticateClient } from "../issuer/clients.ts";
import type { Context } from "../issuer/context.ts";
import type { StandingToken } from "../issuer/standing.ts";
import { findStandingToken } from "../issuer/standing.ts";

/** Tells whoever may know what a token is worth (RFC 7662). */
export async function introspect(ctx: Context, request: Request): Promise<Response> {
  const parameters = await readForm(request);
  refuseRepeats(parameters);
  const client = await authenticateClient(ctx, request, parameters);
  if (isPublic(client)) throw refuseClient("Introspection is for clients that authenticate.");
  const found = await findStandingToken(ctx, required(parameters, "token", "RFC 7662, section 2.1"));
  if (!found || !mayKnow(client, found)) return json({ active: false });
  return json({ active: true, ...found.claims, ...describeHolder(found) });
}

/** To everybody else a token is inactive; otherwise introspection would be a key to every token (RFC 7662, section 4). */
function mayKnow(client: Client, { claims, client: owner }: StandingToken): boolean {
  const audience = [claims.aud].flat();
  return client.introspect === "any" || owner.id === client.id || client.resources.some((resource) => audience.includes(resource));
}

function describeHolder({ kind, standing }: StandingToken) {
  return { ...kind === "access" && { token_type: "Bearer" }, ...standing && { username: standing.user.name } };
}
