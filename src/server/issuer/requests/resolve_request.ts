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
import { ruleSet } from "../../protocol/rule_set.ts";
import { checkNoClientId } from "../clients/client_audiences.ts";
import { requireClient } from "../clients/clients.ts";
import type { Context, RequestContext } from "../context.ts";
import { requireIdTokenHint } from "./id_token_hint.ts";
import { findPushedRequest, type ResolvedRequest } from "./pushed_requests.ts";
import { readRequestSource, type RequestSource } from "./request_source.ts";

const about = {
  see: "RFC 9126, section 2.1",
  parameter: "request_uri",
  error: "invalid_request",
} as const;

const parRules = ruleSet("par", about, {
  no_request_uri: {
    must: "A pushed request must not have the parameter 'request_uri'",
    fix: "Push the parameters instead of a request_uri.",
    holds: (requestUri: string | undefined) => requestUri === undefined,
  },
});

/**
 * Reads an authorization request from its parameters, a request object or a pushed request. The
 * client and the redirect URI are checked first, because errors may be redirected only after that.
 */
export async function resolveRequest(
  ctx: RequestContext,
  parameters: FormParameters,
): Promise<ResolvedRequest> {
  const clientId = readClientId(ctx.apply, parameters);
  const client = await requireClient(ctx, clientId);
  const pushedHandle = pushedRequestHandle(parameters.get("request_uri"));
  if (pushedHandle !== undefined) return await findPushedRequest(ctx, client, pushedHandle);
  const source = await readRequestSource(ctx, client, parameters);
  const responseTarget = readResponseTarget(
    ctx.apply,
    source.parameters,
    client,
    ctx.vouchForRedirect,
  );
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
): Promise<AuthorizationRequest> {
  ctx.apply(parRules.no_request_uri, parameters.get("request_uri"));
  const source = await readRequestSource(ctx, client, parameters);
  checkDelivery(ctx.apply, client, { signed: source.signed, pushed: true });
  return await readRequestWithHint(
    ctx,
    client,
    source,
    readResponseTarget(ctx.apply, source.parameters, client, ctx.vouchForRedirect),
  );
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
  const { subject, clientId } = await requireIdTokenHint(ctx, text);
  return { subject, clientId };
}
