import { authenticationOf } from "../../../server/config/make_client.ts";
import type { ClientConfig } from "../../../server/features.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { forever } from "../../../server/issuer/records/table.ts";
import { type Client, isPublic } from "../../../server/model/client.ts";
import { roleProblem } from "../../client_role/role_request.ts";
import { hasDemoKey } from "../../client_role/signed_proofs.ts";
import { demoPublicKey } from "../../demo/demo_keys.ts";

/**
 * Returns a client with which the lab can act in a dry run. A client whose key only its owner has
 * gets one of the lab; nothing that it may ask for depends on it.
 */
export function withCredentials(client: ClientConfig): ClientConfig {
  const canAct = roleProblem(client) === undefined;
  const canSign = !client.requireSignedRequest || hasDemoKey(client);
  if (canAct && canSign) return client;
  const { jwksUri: _uri, authenticationAlg: _auth, requestObjectAlg: _object, ...others } = client;
  return {
    ...others,
    ...!canAct && { authentication: [methodFor(client)] },
    jwks: { keys: [...client.jwks?.keys ?? [], demoPublicKey] },
  };
}

function methodFor(client: ClientConfig): "client_secret_basic" | "private_key_jwt" {
  return authenticationOf(client).includes("client_secret_jwt")
    ? "client_secret_basic"
    : "private_key_jwt";
}

/**
 * Finds the configuration with which the lab acts as a client: that of the configuration, or of a
 * row, which then gets a key of the lab.
 */
export async function clientForDryRun(
  ctx: Context,
  client: Client,
  configured: readonly ClientConfig[],
): Promise<ClientConfig> {
  const known = configured.find(({ id }) => id === client.id);
  if (known) return withCredentials(known);
  const { id } = client;
  if (isPublic(client)) return { id, authentication: ["none"] };
  const authentication: ClientConfig["authentication"] = ["private_key_jwt"];
  const jwks = { keys: [demoPublicKey] };
  const { jwksUri: _uri, authenticationAlg: _auth, requestObjectAlg: _object, ...others } = client;
  await ctx.records.clients.put(id, { ...others, authentication, jwks } as Client, forever);
  return { id, authentication, jwks };
}
