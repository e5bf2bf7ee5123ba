import type { Settings } from "../config/settings.ts";
import type { CompleteResponse, Grant, GrantResult, TokenRequest } from "../grants/grant.ts";
import { jsonResponse } from "../http/response.ts";
import type { HeaderList, ResponseData } from "../http/response_data.ts";
import { featuresOf } from "../issuer/active_features.ts";
import { authenticateClient, readClientForm } from "../issuer/clients/authenticate_client.ts";
import type { RequestContext } from "../issuer/context.ts";
import { unavailable } from "../issuer/records/store_calls.ts";
import { makeTokens } from "../issuer/tokens/issue_tokens.ts";
import {
  checkClientDpop,
  nonceHeaders,
  requireCertificate,
} from "../issuer/tokens/proof_of_possession.ts";
import type { BoundKeys } from "../model/access_token.ts";
import type { Client } from "../model/client.ts";
import { dpop } from "../protocol/dpop_rules.ts";
import type { FormParameters } from "../protocol/form_parameters.ts";
import { grantTypeRules } from "../protocol/grant_types.ts";
import { requirePresent, requireValue } from "../protocol/rule.ts";
import { UnreadableStoreError } from "../store/store_errors.ts";
import type { Endpoint } from "./route.ts";

/** The parameters by which a client names itself, or authenticates. */
const clientParameters = [
  "client_id",
  "client_secret",
  "client_assertion",
  "client_assertion_type",
];

/**
 * Creates the token endpoint, which issues tokens for those grants that the settings support (OAuth
 * 2.1, section 3.2). The grant is consumed last, and only then a second use is refused. `hallpass
 * explain` lists all that is checked, in order, with each error.
 */
export function tokenEndpoint(settings: Settings, all: readonly Grant[]): Endpoint {
  const supported = all.filter(({ type }) => settings.grantTypes.includes(type));
  return async (ctx) => {
    // First, so that not even an assertion is used up by a server whose secret was replaced.
    const check = ctx.keys.checkEncryption();
    if (check !== true) await check.catch(throwUnreadable);
    const headers = settings.dpopNonces ? await nonceHeaders(ctx).catch(throwUnreadable) : [];
    const parameters = await readClientForm(ctx);
    const requested = parameters.get("grant_type");
    const named = supported.find(({ type }) => type === requested);
    if (named?.clientProof?.isEnabled(settings) && namesNoClient(ctx, parameters)) {
      ctx.note({ grantType: named.type });
      const proven = await named.clientProof.prove(ctx, parameters);
      const keys = await requireKeys(ctx, proven.client);
      const { client, ...result } = await proven.redeem(keys.jkt);
      const issued = await issue(ctx, { client, ...keys, parameters }, result);
      return respond(ctx, client, named.type, issued, headers);
    }
    const authenticated = await authenticateClient(ctx, parameters);
    const { client } = authenticated;
    const type = requirePresent(ctx.apply, grantTypeRules.present, requested);
    const types = { received: type, expected: settings.grantTypes };
    const grant = requireValue(ctx.apply, grantTypeRules.supported, types, named);
    ctx.note({ grantType: type });
    ctx.apply(grantTypeRules.allowed, { received: type, expected: client.grantTypes });
    const request = { ...authenticated, ...await requireKeys(ctx, client) };
    const outcome = await grant.redeem(ctx, request);
    const issued = "response" in outcome ? outcome : await issue(ctx, request, outcome);
    return respond(ctx, client, type, issued, headers);
  };
}

/** If this server cannot read its keys, another one may have the secret that can. */
function throwUnreadable(cause: unknown): never {
  throw cause instanceof UnreadableStoreError ? unavailable(cause) : cause;
}

/** Returns the keys that a request proves, as it must if the client's tokens are bound to them. */
async function requireKeys(ctx: RequestContext, client: Client): Promise<BoundKeys> {
  const jkt = ctx.request.headers.has("DPoP")
    ? await checkClientDpop(ctx, client, "token_endpoint")
    : undefined;
  ctx.apply(dpop.required, { jkt, client });
  if (!client.certificateBoundTokens) return { jkt };
  return { jkt, certificateThumbprint: await requireCertificate(ctx) };
}

/** Whether a request neither names a client nor authenticates one. */
function namesNoClient({ request }: RequestContext, parameters: FormParameters): boolean {
  return request.headers.get("Authorization") === null &&
    clientParameters.every((name) => parameters.get(name) === undefined);
}

/** Issues what a grant allows, and consumes the grant as the last call of the same round trip. */
async function issue(
  ctx: RequestContext,
  { client, secret: clientSecret, jkt, certificateThumbprint }: TokenRequest,
  { entitlement, responseMembers, rows: others = [], use }: GrantResult,
): Promise<CompleteResponse> {
  const granted = { ...entitlement, jkt, certificateThumbprint, clientSecret };
  const { response, rows } = await makeTokens(ctx, client, granted).catch(throwUnreadable);
  if (client.registration) await featuresOf(ctx).registeredClients?.noteUse(ctx, client);
  const isFirst = await ctx.records.write({ rows: [...rows, ...others], last: use?.mark });
  await use?.check(isFirst, response);
  const { scope, authorization } = entitlement;
  return { response: { ...response, ...responseMembers }, scope, authorization };
}

function respond(
  ctx: RequestContext,
  { id: client }: Client,
  grantType: string,
  { response, scope, authorization }: CompleteResponse,
  headers: HeaderList,
): ResponseData {
  const ofAuthorization = authorization && { authorization: authorization.id };
  ctx.emit({ type: "token.issued", client, grantType, scope, ...ofAuthorization });
  return jsonResponse(response, 200, headers);
}
