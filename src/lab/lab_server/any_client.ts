import { toClient } from "../../server/config/make_client.ts";
import { capabilitiesOfSettings } from "../../server/config/server_capabilities.ts";
import type { Context } from "../../server/issuer/context.ts";
import { forever } from "../../server/issuer/records/table.ts";
import type { Client } from "../../server/model/client.ts";
import type { ClientAuthenticationMethod } from "../../server/model/client_config.ts";
import { redirectUriProblem } from "../../server/protocol/redirect_uri.ts";
import { basicPair, isScheme } from "../recording/credentials.ts";
import type { WireRequest } from "../recording/exchange.ts";

/** The methods of a client that may still send a secret: it is not yet a public client. */
const openMethods: ClientAuthenticationMethod[] = [
  "none",
  "client_secret_basic",
  "client_secret_post",
];

/**
 * Turns every unknown `client_id` into a client, with the secret and redirect URI of its requests.
 */
export function createAdmission(
  pkce: "required" | "optional" = "required",
): (ctx: Context, request: WireRequest) => Promise<void> {
  const admitted = new Set<string>();
  return async (ctx, wireRequest) => {
    const id = wireRequest.client;
    if (id === undefined || ctx.settings.clients.has(id)) return;
    const stored = await ctx.records.clients.find(id);
    if (stored && !admitted.has(id)) return;
    const client = await widenClient(ctx, stored ?? await createClient(ctx, id, pkce), wireRequest);
    admitted.add(id);
    if (client !== stored) await ctx.records.clients.put(id, client, forever);
  };
}

async function createClient(ctx: Context, id: string, pkce: Client["pkce"]): Promise<Client> {
  const { grantTypes } = ctx.settings;
  const client = await toClient(
    {
      id,
      name: id,
      grantTypes: [...grantTypes],
      ...pkce === "optional" && { pkce, authentication: openMethods },
    },
    capabilitiesOfSettings(ctx.settings),
  );
  return { ...client, native: true, rememberConsent: true };
}

/**
 * Adds a redirect URI that the client uses for the first time, and the first secret that it sends.
 */
async function widenClient(
  ctx: Context,
  client: Client,
  { query, form, headers }: WireRequest,
): Promise<Client> {
  const redirectUri = query.get("redirect_uri") ?? form.get("redirect_uri");
  const isNew = redirectUri && redirectUriProblem(redirectUri, true) === undefined &&
    !client.redirectUris.includes(redirectUri);
  const wider = isNew ? { ...client, redirectUris: [...client.redirectUris, redirectUri] } : client;
  const secret = secretIn(headers.authorization ?? "", form);
  if (secret === undefined || wider.secrets.length > 0) return wider;
  const { secrets, authentication } = await toClient(
    { id: client.id, secret },
    capabilitiesOfSettings(ctx.settings),
  );
  return { ...wider, secrets, authentication };
}

function secretIn(authorization: string, form: URLSearchParams): string | undefined {
  return isScheme(authorization, "Basic")
    ? basicPair(authorization)?.secret
    : form.get("client_secret") ?? undefined;
}
