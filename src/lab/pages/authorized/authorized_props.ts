import { hasKeys } from "../../../server/config/derived_client_settings.ts";
import { authorizedProps as plainProps } from "../../../server/endpoints/authorized.ts";
import { browserEndpointUrl, type Context } from "../../../server/issuer/context.ts";
import type { ClientConfig } from "../../../server/model/client_config.ts";
import type { AuthorizedProps } from "../../../server/pages/authorized.tsx";
import type { ClientProofs } from "../../../server/pages/token_request.ts";
import { hasDemoKey, signClientAssertion, signDpopProof } from "../../client_role/signed_proofs.ts";
import { startableClients } from "../../client_role/start_flow.ts";
import type { Lab } from "../../control/lab.ts";
import type { StartedFlow } from "../../lab_server/started_flow.ts";
import type { LabPageCall } from "../page/lab_page.ts";
import type { Arrival } from "./arrival.ts";

/**
 * Returns what the page shows about a response. If the lab started the flow in this browser, its
 * token request is complete.
 */
export async function authorizedProps(
  lab: Lab,
  { ctx }: LabPageCall,
  { callback, started }: Arrival,
): Promise<AuthorizedProps> {
  const props = {
    ...await plainProps(ctx, callback),
    startAgain: startUrl(lab, started),
  };
  if (!started || callback.hasError) return props;
  return { ...props, ...await tokenRequestProps(lab, started) };
}

/** Returns the URL that starts a flow of the same client, or of the first one that can start. */
function startUrl(lab: Lab, flow: StartedFlow | undefined): string | undefined {
  const id = flow?.clientId ?? startableClients(lab)[0]?.id;
  return id && `${lab.context.settings.base}/start?client_id=${encodeURIComponent(id)}`;
}

/** Returns what the page needs to print the token request of a flow. */
async function tokenRequestProps(
  lab: Lab,
  { clientId, redirectUri, codeVerifier, usesDpop }: StartedFlow,
): Promise<Partial<AuthorizedProps>> {
  const client = lab.clients.list().find(({ id }) => id === clientId);
  const proofs = client && hasDemoKey(client) && !client.secret
    ? await proofsFor(lab.context, client)
    : undefined;
  const dpopProof = usesDpop ? await tokenProof(lab.context) : undefined;
  return {
    clientId,
    authentication: authenticationKind(client),
    clientSecret: client?.secret,
    redirectUri,
    codeVerifier,
    exchangeUrl: "#exchange",
    proofs,
    dpopProof,
  };
}

function authenticationKind(client: ClientConfig | undefined): AuthorizedProps["authentication"] {
  if (client?.secret) return "secret";
  return client && hasKeys(client) ? "key" : "none";
}

async function proofsFor(ctx: Context, { id }: ClientConfig): Promise<ClientProofs> {
  return {
    clientAssertion: await signClientAssertion(ctx, id),
    dpopProof: await tokenProof(ctx),
  };
}

async function tokenProof(ctx: Context): Promise<string> {
  return await signDpopProof(ctx, {
    method: "POST",
    url: browserEndpointUrl(ctx, "token_endpoint"),
  });
}
