import type { Context } from "../../../server/issuer/context.ts";
import { forever } from "../../../server/issuer/records/table.ts";
import type { ClientAuthenticationMethod } from "../../../server/model/client_config.ts";
import { isScheme } from "../../recording/credentials.ts";
import type { WireRequest } from "../../recording/exchange.ts";

const secretMethods: readonly ClientAuthenticationMethod[] = [
  "client_secret_basic",
  "client_secret_post",
];

/** Returns how a request sends the secret of its client, if it has one. */
export function secretMethodOf(
  { headers: { authorization = "" }, form }: WireRequest,
): ClientAuthenticationMethod | undefined {
  if (isScheme(authorization, "Basic")) return "client_secret_basic";
  return form.has("client_secret") ? "client_secret_post" : undefined;
}

/**
 * Lets a client that registered for one of these methods use both. Returns the client if that made
 * a difference.
 */
export async function admitSecretMethod(
  { records: { clients } }: Context,
  request: WireRequest,
): Promise<string | undefined> {
  const method = secretMethodOf(request);
  const client = request.client === undefined ? undefined : await clients.find(request.client);
  if (!client?.registration || method === undefined) return undefined;
  const { authentication } = client;
  const hasOther = authentication.some((registered) => secretMethods.includes(registered));
  if (!hasOther || authentication.includes(method)) return undefined;
  const wider = { ...client, authentication: [...authentication, method] };
  await clients.put(client.id, wider, forever);
  return client.id;
}
