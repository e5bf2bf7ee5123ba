import { calculateJwkThumbprint } from "jose";
import { grantTypesOf } from "../../server/config/make_client.ts";
import type { ClientConfig } from "../../server/features.ts";
import { toResponse } from "../../server/http/response_data.ts";
import { findClient } from "../../server/issuer/clients/clients.ts";
import type { Context } from "../../server/issuer/context.ts";
import { randomSecret } from "../../server/issuer/random.ts";
import { fromNow } from "../../server/issuer/time.ts";
import { sha256 } from "../../server/util/crypto/hash.ts";
import { day } from "../../server/util/time/duration.ts";
import type { CoreLab } from "../core/core_lab.ts";
import { demoPublicKey } from "../demo/demo_keys.ts";
import { findEndpointUrl, requireEndpointUrl } from "../dialect/lab_endpoints.ts";
import { ownRedirectUri, startedRedirectUri } from "../lab_server/started_flow.ts";
import { LabError } from "../util/lab_error.ts";
import { abilitiesOf } from "./client_abilities.ts";
import { type FlowOptions, type Parameter, readFlowOptions } from "./flow_options.ts";
import { flowParameters } from "./flow_request.ts";
import { roleProblem, roleRequest, sendRoleRequest } from "./role_request.ts";
import { signRequestObject } from "./signed_proofs.ts";

/** A link of the terminal may be opened long after the lab was started. */
const flowLifetime = 30 * day;

/**
 * Returns the clients that the lab can start a flow of: all that have the grant, unless the
 * provider that it plays signs no users in. If none of a client's redirect URIs is the lab's own,
 * the lab vouches for its own in the requests it begins.
 */
export function startableClients(lab: CoreLab): ClientConfig[] {
  if (!lab.context.settings.grantTypes.includes("authorization_code")) return [];
  if (findEndpointUrl(lab, "authorization_endpoint") === undefined) return [];
  return lab.clients.list().filter((client) => grantTypesOf(client).includes("authorization_code"));
}

/**
 * Starts a flow in the role of a client: returns where the browser goes, and the secret that redeems
 * the code. The state of the callback finds the flow, with its verifier, again.
 */
export async function startFlow(
  lab: CoreLab,
  { client, query = new URLSearchParams(), browser }: {
    client: ClientConfig;
    /** The choices of the user: the query of the page. */
    query?: URLSearchParams;
    /**
     * The hash of the browser. Without it, a terminal shows the link: the flow belongs to any
     * browser that knows its state, and can be started again.
     */
    browser?: string | undefined;
  },
): Promise<{ url: string; codeVerifier: string; redirectUri: string }> {
  const { context: ctx } = lab;
  const { frontChannelUrl } = ctx.settings;
  const redirectUri = startedRedirectUri(frontChannelUrl, client);
  const known = await findClient(ctx, client.id);
  if (!known) {
    throw new LabError(`The lab cannot start a flow of the client '${client.id}'.`);
  }
  const options = readFlowOptions(query, abilitiesOf(known));
  if (options.own.problem !== undefined) throw new LabError(options.own.problem);
  const [codeVerifier, state] = [randomSecret(ctx), randomSecret(ctx)];
  const parameters = flowParameters(options, redirectUri, {
    state,
    nonce: randomSecret(ctx),
    codeVerifier,
    codeChallenge: await sha256(codeVerifier),
    dpopThumbprint: await calculateJwkThumbprint(demoPublicKey),
  });
  const until = fromNow(ctx, flowLifetime);
  await lab.startedFlows.put(state, {
    clientId: client.id,
    redirectUri,
    codeVerifier: sentVerifier(ctx, options, codeVerifier),
    browser,
    usesDpop: options.usesDpop,
  }, until);
  if (ownRedirectUri(frontChannelUrl, client) === undefined) {
    const codeChallenge = parameters.find(([name]) => name === "code_challenge")?.[1];
    const request = { clientId: client.id, redirectUri, state, codeChallenge, until };
    lab.vouchedRequests.add({ ...request, isLink: browser === undefined });
  }
  const sent = await toSentParameters(lab, { client, options, parameters });
  const url = `${requireEndpointUrl(lab, "authorization_endpoint")}?${new URLSearchParams(sent)}`;
  return { url, codeVerifier, redirectUri };
}

/** Returns the verifier of the token request, which a mistake can leave out or change. */
function sentVerifier(
  ctx: Context,
  { mistakes }: FlowOptions,
  codeVerifier: string,
): string | undefined {
  if (mistakes.includes("pkce")) return undefined;
  return mistakes.includes("verifier") ? randomSecret(ctx) : codeVerifier;
}

/** Signs the request and pushes it, as far as the options say so. */
async function toSentParameters(
  lab: CoreLab,
  { client, options, parameters }: {
    client: ClientConfig;
    options: FlowOptions;
    parameters: readonly Parameter[];
  },
): Promise<Array<[string, string]>> {
  const carried: readonly Parameter[] = options.usesJar
    ? [
      ["client_id", client.id],
      ["request", await signRequestObject(lab.context, client.id, toClaims(parameters))],
    ]
    : parameters;
  const sent = options.usesPar ? await pushRequest(lab, client, carried) : carried;
  return sent.map(([name, value]) => [name, value]);
}

/** A repeated parameter is a list (RFC 9101, section 4). */
function toClaims(parameters: readonly Parameter[]): Record<string, string | string[]> {
  const valuesOf = (name: string) =>
    parameters.filter(([each]) => each === name).map(([, value]) => value);
  return Object.fromEntries(parameters.map(([name, value]) => {
    const values = valuesOf(name);
    return [name, values.length > 1 ? values : value];
  }));
}

/** Pushes a request (RFC 9126, section 2.1). */
async function pushRequest(
  lab: CoreLab,
  client: ClientConfig,
  parameters: readonly Parameter[],
): Promise<readonly Parameter[]> {
  const problem = roleProblem(client);
  if (problem !== undefined) throw new LabError(problem);
  const plan = { endpoint: "pushed_authorization_request_endpoint", members: parameters } as const;
  const response = await sendRoleRequest(lab, await roleRequest(lab, client, plan));
  const { request_uri, error, error_description } = await toResponse(response).json();
  if (typeof request_uri === "string") {
    return [["client_id", client.id], ["request_uri", request_uri]];
  }
  throw new LabError(`The pushed request was refused: ${error}. ${error_description ?? ""}`);
}
