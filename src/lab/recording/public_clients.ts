import { findClient } from "../../issuer/clients/clients.ts";
import type { Context } from "../../issuer/context.ts";
import { isPublic } from "../../model/client.ts";
import { isScheme } from "./credentials.ts";
import type { WireRequest } from "./exchange.ts";

/** Whether a request sends a secret for a public client. */
export async function sendsSecretForPublicClient(
  ctx: Context,
  { client, headers, form }: WireRequest,
): Promise<boolean> {
  const sendsSecret = form.has("client_secret") || isScheme(headers.authorization ?? "", "Basic");
  if (client === undefined || !sendsSecret) return false;
  const registered = await findClient(ctx, client);
  return registered !== undefined && isPublic(registered);
}
