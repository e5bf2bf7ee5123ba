import type { Client } from "../../model/client.ts";
import {
  type AuthorizationRequest,
  readAuthorizationRequest,
} from "../../protocol/authorization_request.ts";
import { redirectErrorsTo } from "../../protocol/authorization_response.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import type { SubjectHint } from "../../protocol/interactive_request.ts";
import { checkDelivery, storedRequestHandle } from "../../protocol/request_delivery.ts";
import {
  readClientId,
  readResponseTarget,
  type ResponseTarget,
} from "../../protocol/response_target.ts";
import { checkNoClientId } from "../clients/client_audiences.ts";
import { requireClient } from "../clients/clients.ts";
import type { Context, RequestContext } from "../context.ts";
import { requireIdTokenHint } from "./id_token_hint.ts";
import { readRequestSource, type RequestSource } from "./request_source.ts";
import { requireStoredRequest, type ResolvedRequest } from "./stored_requests.ts";

/**
 * Reads an authorization request from its parameters, a request object or a stored request. The
 * client and the redirect URI are checked first, because errors may be redirected only after that.
 */
export async function resolveRequest(
  ctx: RequestContext,
  parameters: FormParameters,
): Promise<ResolvedRequest> {
  const clientId = readClientId(ctx.apply, parameters);
  const client = await requireClient(ctx, clientId);
  const handle = storedRequestHandle(parameters.get("request_uri"));
  if (handle !== undefined) return await requireStoredRequest(ctx, client, handle);
  const source = await readRequestSource(ctx, client, parameters);
  const responseTarget = readResponseTarget(
    ctx.apply,
    source.parameters,
    client,
    ctx.hooks.vouchForRedirect,
  );
  return await redirectErrorsTo(responseTarget, async () => {
    checkDelivery(ctx.apply, client, { signed: source.signed, pushed: false });
    const authorizationRequest = await readRequestWithHint(ctx, client, source, responseTarget);
    return { client, authorizationRequest };
  });
}

/** Reads the members of a request whose response target is known. */
export async function readRequestWithHint(
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
  const hint = parameters.get("id_token_hint");
  const subjectHint = hint === undefined ? undefined : await readSubjectHint(ctx, hint);
  return { ...authorizationRequest, subjectHint };
}

async function readSubjectHint(ctx: Context, text: string): Promise<SubjectHint> {
  const { subject, clientId } = await requireIdTokenHint(ctx, text);
  return { subject, clientId };
}
