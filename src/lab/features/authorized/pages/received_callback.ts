import { hasKeys } from "../../../../server/config/make_client.ts";
import type { AuthorizedProps, ClientConfig, ClientProofs } from "../../../../server/features.ts";
import { authorizedProps as plainProps } from "../../../../server/features/authorized/authorized_page.ts";
import {
  type Callback,
  rejectOtherIssuer,
} from "../../../../server/features/authorized/callback.ts";
import { readQuery } from "../../../../server/http/incoming_request.ts";
import type { Browser } from "../../../../server/issuer/sessions/browsers.ts";
import { roleProblem } from "../../../client_role/role_request.ts";
import {
  hasDemoKey,
  signClientAssertion,
  signDpopProof,
} from "../../../client_role/signed_proofs.ts";
import { startableClients } from "../../../client_role/start_flow.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import {
  findEndpointUrl,
  findMetadata,
  requireEndpointUrl,
} from "../../../dialect/lab_endpoints.ts";
import { findStartedFlow, type StartedFlow } from "../../../lab_server/started_flow.ts";
import type { LabPageCall } from "../../../pages/page/lab_page.ts";
import {
  type FailedFlow,
  failedFlowOf,
  type PlayedFlow,
  playedFlowOf,
  readLabCallback,
} from "../callback_flow.ts";
import { type FollowUpFacts, introspectorFor } from "../follow_up.ts";

/** An authorization response that arrived, with everything that the lab knows about it. */
export interface ReceivedCallback {
  callback: Callback;
  /** The flow, if the lab started it in this browser. */
  started: StartedFlow | undefined;
  /** What became of the code, if it is recorded. */
  played: PlayedFlow | undefined;
  /** What became of the request, if it failed and is recorded. */
  failed: FailedFlow | undefined;
}

/** Reads the response in the query of a page. */
export async function readReceivedCallback(
  lab: CoreLab,
  { ctx }: LabPageCall,
  browser: Browser | undefined,
): Promise<ReceivedCallback> {
  const received = await readLabCallback(ctx, readQuery(ctx));
  const started = await findStartedFlow(lab.startedFlows, received.state, browser?.hash);
  // If the lab does not know the flow, it cannot know which issuer the client expects.
  const callback = started && namesIssuer(lab, received)
    ? rejectOtherIssuer(received, ctx.settings.issuer)
    : received;
  const played = callback.hasError ? undefined : await playedFlowOf(lab, callback.code);
  const failed = callback.hasError ? failedFlowOf(lab, callback) : undefined;
  return { callback, started, played, failed };
}

/** Returns what the next requests are made of, if the lab may send them. */
export function followUpFacts(
  lab: CoreLab,
  { callback, started, played }: ReceivedCallback,
): FollowUpFacts | undefined {
  const clients = lab.clients.list();
  const client = clients.find(({ id }) => id === started?.clientId);
  if (callback.hasError || !started || !client || roleProblem(client)) return undefined;
  return {
    flow: started,
    client,
    introspector: introspectorFor(client, clients),
    code: callback.code,
    accessToken: played?.accessToken,
    refreshToken: played?.refreshToken,
  };
}

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

/** Whether a response names its issuer, or has to. Some providers never do (RFC 9207, section 2.4). */
function namesIssuer(lab: CoreLab, { issuer }: Callback): boolean {
  const { authorization_response_iss_parameter_supported: isSupported } = findMetadata(lab) ?? {};
  return issuer !== undefined || isSupported === true;
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
