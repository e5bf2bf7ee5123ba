import type { Client } from "../../model/client.ts";
import {
  type AuthorizationRequest,
  readAuthorizationRequest,
} from "../../protocol/authorization_request.ts";
import { redirectErrorsTo } from "../../protocol/authorization_response.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import type { SubjectHint } from "../../protocol/interactive_request.ts";
import { errorFactory, type OAuthError } from "../../protocol/oauth_error.ts";
import { checkDelivery, pushedRequestHandle } from "../../protocol/request_delivery.ts";
import {
  readClientId,
  readResponseTarget,
  type ResponseTarget,
} from "../../protocol/response_target.ts";
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
/** How many ids an unknown one is compared with: each comparison takes some time. */
const maxComparedClients = 50;
const invalidRequest = errorFactory("invalid_request", "OAuth 2.1, section 4.1.2.1");

/**
 * Reads an authorization request from its parameters, a request object or a pushed request. The
 * client and the redirect URI are checked first, because errors may be redirected only after that.
 */
export async function resolveRequest(
  ctx: Context,
  request: Request,
  parameters: FormParameters,
): Promise<ResolvedRequest> {
  const clientId = readClientId(parameters);
  const client = await lookUpClient(ctx, request, clientId);
  if (!client) throw unknownClient(ctx, clientId);
  const pushedHandle = pushedRequestHandle(parameters.get("request_uri"));
  if (pushedHandle !== undefined) return await findPushedRequest(ctx, client, pushedHandle);
  const source = await readRequestSource(ctx, client, parameters, ctx.addressOf(request));
  const responseTarget = readResponseTarget(source.parameters, client);
  return await redirectErrorsTo(responseTarget, async () => {
    checkDelivery(client, { signed: source.signed, pushed: false });
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
  if (parameters.get("request_uri") !== undefined) {
    throw invalidRequest("A pushed request must not have the parameter 'request_uri'.", {
      see: "RFC 9126, section 2.1",
    });
  }
  const source = await readRequestSource(ctx, client, parameters, sender);
  checkDelivery(client, { signed: source.signed, pushed: true });
  return await readRequestWithHint(
    ctx,
    client,
    source,
    readResponseTarget(source.parameters, client),
  );
}

function unknownClient(ctx: Context, clientId: string): OAuthError {
  const problem = ctx.documents.problemOf(clientId);
  const hint = problem === undefined
    ? describeClients(ctx, clientId)
    : `Its metadata document cannot be used: ${problem}`;
  return invalidRequest("The client_id is unknown.", { ...hint !== undefined && { hint } });
}

/**
 * Names the configured clients, as far as they fit in a sentence. Where hints are off, anyone may
 * send unknown ids, and none is compared with all others.
 */
function describeClients({ settings }: Context, clientId: string): string | undefined {
  if (!settings.hints) return undefined;
  const ids = [...settings.clients.keys()];
  const nearest = nearestName(clientId.slice(0, maxShownId), ids.slice(0, maxComparedClients));
  const known = nearest ? `Did you mean '${nearest}'?` : knownClients(ids);
  return `Received: '${clientId.slice(0, maxShownId)}'. ${known}`;
}

function knownClients(ids: readonly string[]): string {
  if (ids.length === 0) return "The configuration has no clients.";
  const rest = ids.length > maxShownClients ? ", …" : "";
  return `Configured: ${ids.slice(0, maxShownClients).join(", ")}${rest}.`;
}

async function readRequestWithHint(
  ctx: Context,
  client: Client,
  { parameters }: RequestSource,
  responseTarget: ResponseTarget,
): Promise<AuthorizationRequest> {
  const authorizationRequest = readAuthorizationRequest(
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
  const hint = await readIdTokenHint(ctx, text);
  if (hint) return { subject: hint.subject, clientId: hint.clientId };
  throw invalidRequest("The id_token_hint is not an ID token that this server issued.", {
    see: "OpenID Connect Core, section 3.1.2.1",
  });
}
