import { calculateJwkThumbprint } from "jose";
import { grantTypesOf } from "../../server/config/derived_client_settings.ts";
import { toResponse } from "../../server/http/response_data.ts";
import { findClient } from "../../server/issuer/clients/clients.ts";
import { endpointUrl } from "../../server/issuer/context.ts";
import { randomSecret } from "../../server/issuer/random.ts";
import { fromNow } from "../../server/issuer/time.ts";
import type { ClientConfig } from "../../server/model/client_config.ts";
import { sha256 } from "../../server/util/crypto/hash.ts";
import { day } from "../../server/util/time/duration.ts";
import type { Lab } from "../control/lab.ts";
import { demoPublicKey } from "../demo/demo_key.ts";
import { ownRedirectUri, startedRedirectUri } from "../lab_server/started_flow.ts";
import { LabError } from "../util/lab_error.ts";
import { abilitiesOf, type FlowOptions, readFlowOptions } from "./flow_options.ts";
import { flowParameters, type Parameter } from "./flow_request.ts";
import { roleRequest, sendRoleRequest } from "./role_request.ts";
import { signRequestObject } from "./signed_proofs.ts";

/** A link of the terminal may be opened long after the lab was started. */
const flowLifetime = 30 * day;

/** A started flow: where the browser goes, and the secret that redeems the code. */
export interface FlowLink {
  url: string;
  codeVerifier: string;
  redirectUri: string;
}

/** Who starts a flow, and how. */
export interface FlowStart {
  client: ClientConfig;
  /** The choices of the user: the query of the page. */
  query?: URLSearchParams;
  /** The hash of the browser; without it, the flow belongs to any browser that knows its state. */
  browser?: string | undefined;
}

/**
 * Returns the clients that the lab can start a flow of: all that have the grant. If none of a
 * client's redirect URIs is the lab's own, the lab vouches for its own in the requests it begins.
 */
export function startableClients(lab: Lab): ClientConfig[] {
  if (!lab.context.settings.grantTypes.includes("authorization_code")) return [];
  return lab.clients.list().filter((client) => grantTypesOf(client).includes("authorization_code"));
}

/**
 * Starts a flow in the role of a client. The state of the callback finds the flow, with its
 * verifier, again.
 */
export async function startFlow(
  lab: Lab,
  { client, query = new URLSearchParams(), browser }: FlowStart,
): Promise<FlowLink> {
  const { context: ctx } = lab;
  const { frontChannelUrl } = ctx.settings;
  const redirectUri = startedRedirectUri(frontChannelUrl, client);
  const known = await findClient(ctx, client.id);
  if (!known) {
    throw new LabError(`The lab cannot start a flow of the client '${client.id}'.`);
  }
  const options = readFlowOptions(query, abilitiesOf(known));
  const [codeVerifier, state] = [randomSecret(ctx), randomSecret(ctx)];
  const codeChallenge = await sha256(codeVerifier);
  const parameters = flowParameters(options, redirectUri, {
    state,
    nonce: randomSecret(ctx),
    codeChallenge,
    dpopThumbprint: await calculateJwkThumbprint(demoPublicKey),
  });
  const flow = {
    clientId: client.id,
    redirectUri,
    codeVerifier,
    browser,
    usesDpop: options.usesDpop,
  };
  const until = fromNow(ctx, flowLifetime);
  await lab.startedFlows.put(state, flow, until);
  if (ownRedirectUri(frontChannelUrl, client) === undefined) {
    lab.vouchedRequests.add({ clientId: client.id, redirectUri, state, codeChallenge, until });
  }
  const sent = await toSentParameters(lab, { client, options, parameters });
  const url = `${endpointUrl(ctx, "authorization_endpoint")}?${new URLSearchParams(sent)}`;
  return { url, codeVerifier, redirectUri };
}

interface RequestToSend {
  client: ClientConfig;
  options: FlowOptions;
  parameters: readonly Parameter[];
}

/** Signs the request and pushes it, as far as the options say so. */
async function toSentParameters(
  lab: Lab,
  { client, options, parameters }: RequestToSend,
): Promise<Record<string, string>> {
  const plain = Object.fromEntries(parameters);
  const carried = options.usesJar
    ? { client_id: client.id, request: await signRequestObject(lab.context, client.id, plain) }
    : plain;
  return options.usesPar ? await pushRequest(lab, client, carried) : carried;
}

/** Pushes a request (RFC 9126, section 2.1). */
async function pushRequest(
  lab: Lab,
  client: ClientConfig,
  parameters: Record<string, string>,
): Promise<Record<string, string>> {
  const plan = { endpoint: "pushed_authorization_request_endpoint", members: parameters } as const;
  const response = await sendRoleRequest(lab, await roleRequest(lab.context, client, plan));
  const { request_uri, error, error_description } = await toResponse(response).json();
  if (typeof request_uri === "string") return { client_id: client.id, request_uri };
  throw new LabError(`The pushed request was refused: ${error}. ${error_description ?? ""}`);
}
