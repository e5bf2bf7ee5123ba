import type { Client } from "../../model/client.ts";
import { clientAlgorithms } from "../../model/signing.ts";
import {
  type AuthorizationRequest,
  readAuthorizationRequest,
} from "../../protocol/authorization_request.ts";
import { redirectErrorsTo } from "../../protocol/authorization_response.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import { isEncryptedJwt } from "../../protocol/jwt.ts";
import {
  checkDelivery,
  requestObjectParameters,
  requestObjectProblem,
  requestObjectTypes,
  storedRequestHandle,
} from "../../protocol/request_delivery.ts";
import {
  readClientId,
  readResponseTarget,
  type ResponseTarget,
} from "../../protocol/response_target.ts";
import { requireValue, ruleSet } from "../../protocol/rule.ts";
import { featuresOf } from "../active_features.ts";
import { checkNoClientId, requireClient } from "../clients/clients.ts";
import type { Context, RequestContext } from "../context.ts";
import { type ExternalJwtResult, verifyExternalJwt } from "../external/external_jwt.ts";
import { numericDate } from "../time.ts";
import { requireIdTokenHint } from "./id_token_hint.ts";
import { requireStoredRequest, type ResolvedRequest } from "./stored_requests.ts";

const about = { see: "RFC 9101, section 6", error: "invalid_request_object" } as const;

const requestObjectRules = ruleSet("request", about, {
  one_source: {
    see: "RFC 9101, section 5",
    parameter: "request_uri",
    error: "invalid_request",
    title: "The request must have only one of the parameters 'request' and 'request_uri'",
    holds: (requestUri: string | undefined) => requestUri === undefined,
  },
  object: {
    parameter: "request",
    title: "The request object must be valid",
    // The problem is a clause that repeats nothing from the request object.
    message: ({ problem }) => `The request object is invalid: ${problem}.`,
    fix: "Sign a short-lived request object for this issuer, with a key of the client.",
    holds: ({ problem }: { problem: string | undefined }) => problem === undefined,
    received: ({ problem }) => problem ?? "a valid one",
  },
});

/** The parameters of a request, and whether the client signed them. */
export interface RequestSource {
  parameters: FormParameters;
  signed: boolean;
}

/**
 * Reads the parameters of a request from its request object, if it has one (RFC 9101, section 6).
 * Until this has succeeded, no error may be redirected: the redirect URI is unknown. A client
 * without keys cannot sign, so its object remains a parameter and is refused with the others.
 */
export async function readRequestSource(
  ctx: Context,
  client: Client,
  parameters: FormParameters,
): Promise<RequestSource> {
  const [object, uri] = [parameters.get("request"), parameters.get("request_uri")];
  if (object === undefined) {
    const referred = uri && await featuresOf(ctx).requestAt?.(ctx, client, uri);
    return referred ? { parameters: referred, signed: true } : { parameters, signed: false };
  }
  const hasKeys = client.jwks !== undefined || client.jwksUri !== undefined;
  if (!hasKeys) return { parameters, signed: false };
  ctx.apply(requestObjectRules.one_source, uri);
  const { claims, problem } = await verifyRequestObject(ctx, client, object);
  const verified = requireValue(ctx.apply, requestObjectRules.object, { problem }, claims);
  return { parameters: requestObjectParameters(verified), signed: true };
}

/** Verifies a request object, however it arrived. */
export async function verifyRequestObject(
  ctx: Context,
  client: Client,
  object: string,
): Promise<ExternalJwtResult> {
  const { requestObjectAlg, requireSignedRequest } = client;
  const algorithms = clientAlgorithms(ctx.settings.profile.algs).filter((alg) =>
    (requestObjectAlg ?? alg) === alg
  );
  const jwt = isEncryptedJwt(object)
    ? await featuresOf(ctx).envelope?.open(ctx, client, object)
    : object;
  const expected = { algorithms, types: requestObjectTypes };
  // What was inside is checked by the same function (CVE-2026-9793).
  const verified = jwt === undefined
    ? { problem: "it cannot be decrypted" }
    : await verifyExternalJwt(ctx, client, jwt, expected);
  if (!verified.claims) return verified;
  const problem = requestObjectProblem(verified.claims, {
    clientId: client.id,
    issuer: ctx.settings.issuer,
    needsTimes: requireSignedRequest,
    now: numericDate(ctx),
  });
  return problem === undefined ? verified : { problem };
}

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
  if (hint === undefined) return authorizationRequest;
  const { subject, clientId } = await requireIdTokenHint(ctx, hint);
  return { ...authorizationRequest, subjectHint: { subject, clientId } };
}
