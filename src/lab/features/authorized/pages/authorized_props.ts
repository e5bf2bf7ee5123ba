import { hasKeys } from "../../../../server/config/make_client.ts";
import type { AuthorizedProps, ClientConfig, ClientProofs } from "../../../../server/features.ts";
import { authorizedProps as plainProps } from "../../../../server/features/authorized/authorized_page.ts";
import {
  hasDemoKey,
  signClientAssertion,
  signDpopProof,
} from "../../../client_role/signed_proofs.ts";
import { startableClients } from "../../../client_role/start_flow.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import { findEndpointUrl, requireEndpointUrl } from "../../../dialect/lab_endpoints.ts";
import type { StartedFlow } from "../../../lab_server/started_flow.ts";
import type { LabPageCall } from "../../../pages/page/lab_page.ts";
import type { ReceivedCallback } from "./received_callback.ts";

/**
 * Returns what the page shows about a response. If the lab started the flow in this browser, its
 * token request is complete.
 */
export async function authorizedProps(
  lab: CoreLab,
  { ctx }: LabPageCall,
  { callback, started }: ReceivedCallback,
): Promise<AuthorizedProps> {
  const plain = await plainProps(ctx, callback);
  const props = {
    ...plain,
    tokenEndpoint: findEndpointUrl(lab, "token_endpoint") ?? plain.tokenEndpoint,
    startAgain: startUrl(lab, started),
  };
  if (!started || callback.hasError) return props;
  return { ...props, ...await tokenRequestProps(lab, started) };
}

/** Returns the URL that starts a flow of the same client, or of the first one that can start. */
function startUrl(lab: CoreLab, flow: StartedFlow | undefined): string | undefined {
  const id = flow?.clientId ?? startableClients(lab)[0]?.id;
  return id && `${lab.context.settings.base}/start?client_id=${encodeURIComponent(id)}`;
}

/** Returns what the page needs to print the token request of a flow. */
async function tokenRequestProps(
  lab: CoreLab,
  { clientId, redirectUri, codeVerifier, usesDpop }: StartedFlow,
): Promise<Partial<AuthorizedProps>> {
  const client = lab.clients.list().find(({ id }) => id === clientId);
  const proofs = client && hasDemoKey(client) && !client.secret
    ? await proofsFor(lab, client)
    : undefined;
  const dpopProof = usesDpop ? await tokenProof(lab) : undefined;
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

async function proofsFor(lab: CoreLab, { id }: ClientConfig): Promise<ClientProofs> {
  return {
    clientAssertion: await signClientAssertion(lab.context, id),
    dpopProof: await tokenProof(lab),
  };
}

async function tokenProof(lab: CoreLab): Promise<string> {
  return await signDpopProof(lab.context, {
    method: "POST",
    url: requireEndpointUrl(lab, "token_endpoint"),
  });
}
