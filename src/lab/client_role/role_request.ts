import { authenticationOf } from "../../server/config/make_client.ts";
import type { ClientConfig } from "../../server/features.ts";
import { createIncomingRequest, type IncomingRequest } from "../../server/http/incoming_request.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { ClientAuthenticationMethod } from "../../server/model/client_config.ts";
import type { EndpointField } from "../../server/model/server_metadata.ts";
import { clientAssertionType } from "../../server/protocol/client_assertion.ts";
import type { CoreLab } from "../core/core_lab.ts";
import { type EndpointSource, requireEndpointUrl } from "../dialect/lab_endpoints.ts";
import { formType } from "../recording/exchange.ts";
import { hasDemoKey, signClientAssertion, signDpopProof } from "./signed_proofs.ts";

/** A request that the lab can send in the role of a client, and print as a `curl` command. */
export interface RoleRequest {
  method: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  form: URLSearchParams;
}

/** What a request of a client contains besides its authentication. */
export interface RequestPlan {
  endpoint: EndpointField;
  members: Record<string, string> | ReadonlyArray<readonly [name: string, value: string]>;
  usesDpop?: boolean;
  /** How long a client assertion is valid, in seconds. */
  assertionLifetime?: number;
}

/** Returns why the lab cannot authenticate as a client, or undefined. */
export function roleProblem(client: ClientConfig): string | undefined {
  const methods = authenticationOf(client);
  if (methods.some((method) => isPossible(client, method))) return undefined;
  return `The lab doesn't have the private key of ${client.id}, so it cannot act as this client.`;
}

/** Returns a POST request of a client, which authenticates in the first way that it may. */
export async function roleRequest(
  source: EndpointSource,
  client: ClientConfig,
  { endpoint, members, usesDpop = false, assertionLifetime }: RequestPlan,
): Promise<RoleRequest> {
  const url = requireEndpointUrl(source, endpoint);
  const authentication = await clientAuthentication(source, client, assertionLifetime);
  const proof = usesDpop
    ? { dpop: await signDpopProof(source.context, { method: "POST", url }) }
    : {};
  return {
    method: "POST",
    url,
    headers: { "content-type": formType, ...authentication.headers, ...proof },
    form: formOf(members, authentication.members),
  };
}

/** The authentication replaces parameters of the same name, such as the client_id. */
function formOf(
  members: RequestPlan["members"],
  authentication: Record<string, string> = {},
): URLSearchParams {
  const entries = Array.isArray(members) ? members : Object.entries(members);
  const form = new URLSearchParams(entries);
  for (const [name, value] of Object.entries(authentication)) form.set(name, value);
  return form;
}

/** Returns a GET request that presents an access token (RFC 6750; RFC 9449, section 7). */
export async function tokenBearingRequest(
  ctx: Context,
  url: string,
  token: { accessToken: string; usesDpop: boolean },
): Promise<RoleRequest> {
  const { accessToken, usesDpop } = token;
  const headers: Record<string, string> = usesDpop
    ? {
      authorization: `DPoP ${accessToken}`,
      dpop: await signDpopProof(ctx, { method: "GET", url, accessToken }),
    }
    : { authorization: `Bearer ${accessToken}` };
  return { method: "GET", url, headers, form: new URLSearchParams() };
}

/** Sends a request to the lab itself, in this process. It is recorded like any other. */
export async function sendRoleRequest(lab: CoreLab, request: RoleRequest): Promise<ResponseData> {
  return await lab.respond(toIncomingRequest(request));
}

export function toIncomingRequest(
  { method, url, headers, form }: RoleRequest,
): IncomingRequest {
  const body = method === "POST" ? form.toString() : null;
  return createIncomingRequest(new Request(url, { method, headers, body }));
}

function isPossible(client: ClientConfig, method: ClientAuthenticationMethod): boolean {
  switch (method) {
    case "none":
      return true;
    case "client_secret_basic":
    case "client_secret_post":
      return client.secret !== undefined;
    case "private_key_jwt":
      return hasDemoKey(client);
    default:
      return false;
  }
}

/** Returns what authenticates a client, in the first way that the lab can. */
export async function clientAuthentication(
  source: EndpointSource,
  client: ClientConfig,
  assertionLifetime?: number,
): Promise<{ headers?: Record<string, string>; members?: Record<string, string> }> {
  const { id, secret = "" } = client;
  const method = authenticationOf(client).find((each) => isPossible(client, each));
  switch (method) {
    case "client_secret_basic": {
      // Both parts are form-encoded before they are joined (RFC 6749, section 2.3.1).
      const [name, word] = [id, secret].map((text) =>
        new URLSearchParams({ "": text }).toString().slice(1)
      );
      return { headers: { authorization: `Basic ${btoa(`${name}:${word}`)}` } };
    }
    case "client_secret_post":
      return { members: { client_id: id, client_secret: secret } };
    case "private_key_jwt": {
      // A provider may expect the assertion of a client as its secret.
      const { audience } = source.settings?.config().dialect?.clientSecretJwt ?? {};
      const facts = { lifetime: assertionLifetime, audience };
      const assertion = await signClientAssertion(source.context, id, facts);
      const members = audience === undefined
        ? { client_assertion_type: clientAssertionType, client_assertion: assertion }
        : { client_id: id, client_secret: assertion };
      return { members };
    }
    default:
      return { members: { client_id: id } };
  }
}
