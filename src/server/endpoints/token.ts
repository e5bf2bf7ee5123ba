import type { Settings } from "../config/settings.ts";
import type {
  CompleteResponse,
  Grant,
  GrantOutcome,
  GrantResult,
  TokenRequest,
} from "../grants/grant.ts";
import { jsonResponse } from "../http/response.ts";
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

/** Creates the token endpoint, which redeems those of the grants that the settings support. */
export function tokenEndpoint(settings: Settings, all: readonly Grant[]): Endpoint {
  const supported = all.filter(({ type }) => settings.grantTypes.includes(type));
  return async (ctx) => {
    // First, so that not even an assertion is used up by a server whose secret was replaced.
    const headers = await withKeys(async () => {
      await ctx.keys.checkEncryption();
      return settings.dpopNonces ? await nonceHeaders(ctx) : [];
    });
    return jsonResponse(await token(ctx, supported), 200, headers);
  };
}

/** Uses keys. If this server cannot read them, another one may have the secret that can. */
async function withKeys<T>(use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (cause) {
    throw cause instanceof UnreadableStoreError ? unavailable(cause) : cause;
  }
}

/**
 * Issues tokens for a grant (OAuth 2.1, section 3.2). The grant is consumed last, and only then a
 * second use is refused. `hallpass explain` lists all that is checked, in order, with each error.
 */
async function token(ctx: RequestContext, supported: readonly Grant[]): Promise<object> {
  const { settings } = ctx;
  const parameters = await readClientForm(ctx);
  const requested = parameters.get("grant_type");
  const named = supported.find(({ type }) => type === requested);
  if (named?.clientProof?.isEnabled(settings) && namesNoClient(ctx, parameters)) {
    ctx.note({ grantType: named.type });
    const proven = await named.clientProof.prove(ctx, parameters);
    const keys = await requireKeys(ctx, proven.client);
    const { client, ...result } = await proven.redeem(keys.jkt);
    return await respond(ctx, { client, ...keys, parameters }, named.type, result);
  }
  const authenticated = await authenticateClient(ctx, parameters);
  const { client } = authenticated;
  const type = requirePresent(ctx.apply, grantTypeRules.present, requested);
  const types = { received: type, expected: settings.grantTypes };
  const grant = requireValue(ctx.apply, grantTypeRules.supported, types, named);
  ctx.note({ grantType: type });
  ctx.apply(grantTypeRules.allowed, { received: type, expected: client.grantTypes });
  const request = { ...authenticated, ...await requireKeys(ctx, client) };
  return await respond(ctx, request, type, await grant.redeem(ctx, request));
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

/** Responds with what a grant allows, or with the response that it made itself. */
async function respond(
  ctx: RequestContext,
  request: TokenRequest,
  grantType: string,
  outcome: GrantOutcome,
): Promise<object> {
  const issued = "response" in outcome ? outcome : await issue(ctx, request, outcome);
  const { response, scope, authorization } = issued;
  const ofAuthorization = authorization && { authorization: authorization.id };
  const client = request.client.id;
  ctx.emit({ type: "token.issued", client, grantType, scope, ...ofAuthorization });
  return response;
}

/** Issues what a grant allows, and consumes the grant as the last call of the same round trip. */
async function issue(
  ctx: RequestContext,
  { client, secret: clientSecret, jkt, certificateThumbprint }: TokenRequest,
  { entitlement, responseMembers, rows: others = [], use }: GrantResult,
): Promise<CompleteResponse> {
  const granted = { ...entitlement, jkt, certificateThumbprint, clientSecret };
  const { response, rows } = await withKeys(() => makeTokens(ctx, client, granted));
  if (client.registration) await featuresOf(ctx).registeredClients?.noteUse(ctx, client);
  const isFirst = await ctx.records.write({ rows: [...rows, ...others], last: use?.mark });
  await use?.check(isFirst, response);
  const { scope, authorization } = entitlement;
  return { response: { ...response, ...responseMembers }, scope, authorization };
}
