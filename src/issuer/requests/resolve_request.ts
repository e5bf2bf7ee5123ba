import type { Client } from "../../model/client.ts";
import {
  type AuthorizationRequest,
  readAuthorizationRequest,
} from "../../protocol/authorization_request.ts";
import { redirectErrorsTo } from "../../protocol/authorization_response.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import type { SubjectHint } from "../../protocol/interactive_request.ts";
import { checkDelivery, pushedRequestHandle } from "../../protocol/request_delivery.ts";
import {
  readClientId,
  readResponseTarget,
  type ResponseTarget,
} from "../../protocol/response_target.ts";
import { requirePresent, requireValue, type Rule } from "../../protocol/rule.ts";
import { nearestName } from "../../util/nearest_name.ts";
import { checkNoClientId } from "../clients/client_audiences.ts";
import { lookUpClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { readIdTokenHint } from "./id_token_hint.ts";
import { findPushedRequest, type ResolvedRequest } from "./pushed_requests.ts";
import { readRequestSource, type RequestSource } from "./request_source.ts";

/** How much of an unknown client_id is shown, in characters. */
const maxShownId = 100;
const maxShownClients = 10;
/** How many names are compared with an unknown one: each comparison takes some microseconds. */
const maxComparedClients = 50;

/** The client that a request names, with what helps its developer. */
interface NamedClient {
  client: Client | undefined;
  clientId: string;
  /** Why the metadata document at this client_id cannot be used. */
  documentProblem: string | undefined;
  configured: ReadonlyMap<string, unknown>;
}

const clientIsKnown: Rule<NamedClient> = {
  id: "client.known",
  title: "The client is known",
  see: "OAuth 2.1, section 4.1.2.1",
  parameter: "client_id",
  error: "invalid_request",
  message: "The client_id is unknown.",
  advice: "Send the client_id of a configured client, or register one.",
  holds: ({ client }) => client !== undefined,
  expected: ({ clientId, configured }) => describeClients(clientId, [...configured.keys()]),
  came: ({ clientId, documentProblem }) => {
    const shown = `'${clientId.slice(0, maxShownId)}'`;
    if (documentProblem === undefined) return shown;
    return `${shown}, whose metadata document cannot be used: ${documentProblem}`;
  },
};

const pushedRequestIsComplete: Rule<string | undefined> = {
  id: "par.no_request_uri",
  title: "The pushed request does not have the parameter 'request_uri'",
  see: "RFC 9126, section 2.1",
  parameter: "request_uri",
  error: "invalid_request",
  message: "A pushed request must not have the parameter 'request_uri'.",
  advice: "Push the parameters instead of a request_uri.",
  holds: (requestUri) => requestUri === undefined,
};

const idTokenHintIsKnown: Rule<unknown> = {
  id: "id_token_hint.known",
  title: "The id_token_hint is an ID token of this server",
  see: "OpenID Connect Core, section 3.1.2.1",
  parameter: "id_token_hint",
  error: "invalid_request",
  message: "The id_token_hint is not an ID token that this server issued.",
  advice: "Send an ID token that this server issued, unchanged, or omit the hint.",
  holds: (hint) => hint !== undefined,
};

/**
 * Reads an authorization request from its parameters, a request object or a pushed request. The
 * client and the redirect URI are checked first, because errors may be redirected only after that.
 */
export async function resolveRequest(
  ctx: Context,
  request: Request,
  parameters: FormParameters,
): Promise<ResolvedRequest> {
  const clientId = readClientId(ctx.apply, parameters);
  const found = await lookUpClient(ctx, request, clientId);
  const named = {
    client: found,
    clientId,
    documentProblem: found ? undefined : ctx.documents.problemOf(clientId),
    configured: ctx.settings.clients,
  };
  const client = requireValue(ctx.apply, clientIsKnown, named, found);
  const pushedHandle = pushedRequestHandle(parameters.get("request_uri"));
  if (pushedHandle !== undefined) return await findPushedRequest(ctx, client, pushedHandle);
  const source = await readRequestSource(ctx, client, parameters, ctx.addressOf(request));
  const responseTarget = readResponseTarget(ctx.apply, source.parameters, client);
  return await redirectErrorsTo(responseTarget, async () => {
    checkDelivery(ctx.apply, client, { signed: source.signed, pushed: false });
    const authorizationRequest = await readRequestWithHint(ctx, client, source, responseTarget);
    return { client, authorizationRequest };
  });
}

/** Reads a request to the PAR endpoint. All errors are returned to the client directly. */
export async function resolveRequestToPush(
  ctx: Context,
  client: Client,
  parameters: FormParameters,
  sender?: string,
): Promise<AuthorizationRequest> {
  ctx.apply(pushedRequestIsComplete, parameters.get("request_uri"));
  const source = await readRequestSource(ctx, client, parameters, sender);
  checkDelivery(ctx.apply, client, { signed: source.signed, pushed: true });
  return await readRequestWithHint(
    ctx,
    client,
    source,
    readResponseTarget(ctx.apply, source.parameters, client),
  );
}

/** Names the configured clients, as far as they fit in a sentence. */
function describeClients(clientId: string, ids: readonly string[]): string {
  const compared = ids.slice(0, maxComparedClients);
  const nearest = nearestName(clientId.slice(0, maxShownId), compared);
  if (nearest) return `perhaps '${nearest}'`;
  if (ids.length === 0) return "a registered client, because none is configured";
  const rest = ids.length > maxShownClients ? ", …" : "";
  return `one of ${ids.slice(0, maxShownClients).join(", ")}${rest}`;
}

async function readRequestWithHint(
  ctx: Context,
  client: Client,
  { parameters }: RequestSource,
  responseTarget: ResponseTarget,
): Promise<AuthorizationRequest> {
  const authorizationRequest = readAuthorizationRequest(
    ctx.apply,
    parameters,
    client,
    responseTarget,
    ctx.settings,
  );
  await checkNoClientId(ctx, authorizationRequest.resources);
  return {
    ...authorizationRequest,
    subjectHint: await readSubjectHint(ctx, parameters.get("id_token_hint")),
  };
}

async function readSubjectHint(
  ctx: Context,
  text: string | undefined,
): Promise<SubjectHint | undefined> {
  if (text === undefined) return undefined;
  const found = await readIdTokenHint(ctx, text);
  const { subject, clientId } = requirePresent(ctx.apply, idTokenHintIsKnown, found);
  return { subject, clientId };
}
