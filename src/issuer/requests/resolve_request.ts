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
import { lookUpClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { readIdTokenHint } from "./id_token_hint.ts";
import { findPushed, type ResolvedRequest } from "./pushed_requests.ts";
import { readRequestSource, type RequestSource } from "./request_source.ts";

const invalidRequest = errorFactory("invalid_request", "OAuth 2.1, section 4.1.2.1");

/**
 * Takes what a browser brings to the authorization endpoint: the parameters themselves, a request object that holds them,
 * or the name of a request that was pushed. Who asks, and where the answer goes, is checked before anything else: until then
 * nothing may be redirected.
 */
export async function resolveRequest(
  ctx: Context,
  request: Request,
  parameters: FormParameters,
): Promise<ResolvedRequest> {
  const clientId = readClientId(parameters);
  const client = await lookUpClient(ctx, request, clientId);
  if (!client) throw unknownClient(ctx, clientId);
  const handle = pushedRequestHandle(parameters.get("request_uri"));
  if (handle !== undefined) return await findPushed(ctx, client, handle);
  const source = await readRequestSource(ctx, client, parameters, ctx.addressOf(request));
  const responseTarget = readResponseTarget(source.parameters, client);
  return await redirectErrorsTo(responseTarget, async () => {
    checkDelivery(client, { signed: source.signed, pushed: false });
    return { authorizationRequest: await readCompleteRequest(ctx, client, source, responseTarget) };
  });
}

function unknownClient(ctx: Context, clientId: string): OAuthError {
  const problem = ctx.documents.problemOf(clientId);
  return invalidRequest("The client_id is not known here.", {
    hint: problem && `Its metadata document cannot be used: ${problem}`,
  });
}

/** Reads a request that its client sends itself. There is no browser, so every refusal is the client's to read. */
export async function resolveRequestToPush(
  ctx: Context,
  client: Client,
  parameters: FormParameters,
  sender?: string,
): Promise<AuthorizationRequest> {
  if (parameters.get("request_uri") !== undefined) {
    throw invalidRequest("A request that is pushed has no request_uri of its own.", {
      see: "RFC 9126, section 2.1",
    });
  }
  const source = await readRequestSource(ctx, client, parameters, sender);
  checkDelivery(client, { signed: source.signed, pushed: true });
  return await readCompleteRequest(
    ctx,
    client,
    source,
    readResponseTarget(source.parameters, client),
  );
}

async function readCompleteRequest(
  ctx: Context,
  client: Client,
  { parameters }: RequestSource,
  responseTarget: ResponseTarget,
): Promise<AuthorizationRequest> {
  return {
    ...readAuthorizationRequest(parameters, client, responseTarget, ctx.settings),
    subjectHint: await readHint(ctx, parameters.get("id_token_hint")),
  };
}

async function readHint(ctx: Context, text: string | undefined): Promise<SubjectHint | undefined> {
  if (text === undefined) return undefined;
  const hint = await readIdTokenHint(ctx, text);
  if (hint) return { subject: hint.subject, clientId: hint.clientId };
  throw invalidRequest("The id_token_hint is not an ID token that this server issued.", {
    see: "OpenID Connect Core, section 3.1.2.1",
  });
}
