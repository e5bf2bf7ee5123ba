import type { Settings } from "../config/settings.ts";
import type {
  ClientProof,
  CompleteResponse,
  Grant,
  GrantResult,
  TokenRequest,
} from "../grants/grant.ts";
import { jsonResponse } from "../http/response.ts";
import { featuresOf } from "../issuer/active_features.ts";
import { authenticateClient } from "../issuer/clients/authenticate_client.ts";
import { readClientForm } from "../issuer/clients/client_request.ts";
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

/** The grants that a server supports, by type, and how some of them prove the client of a request. */
interface SupportedGrants {
  grants: ReadonlyMap<string, Grant>;
  proofs: readonly RequestedProof[];
}

/** Creates the token endpoint, which redeems those of the grants that the settings support. */
export function tokenEndpoint(settings: Settings, all: readonly Grant[]): Endpoint {
  const supported = all.filter(({ type }) => settings.grantTypes.includes(type));
  const grants = new Map(supported.map((grant) => [grant.type, grant]));
  const proofs = supported.flatMap(({ type, clientProof }) =>
    clientProof?.isEnabled(settings) ? [{ ...clientProof, type }] : []
  );
  return async (ctx) => {
    // First, so that not even an assertion is used up by a server whose secret was replaced.
    const headers = await withKeys(async () => {
      await ctx.keys.checkEncryption();
      return settings.dpopNonces ? await nonceHeaders(ctx) : [];
    });
    return jsonResponse(await token(ctx, { grants, proofs }), 200, headers);
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
async function token(
  ctx: RequestContext,
  { grants, proofs }: SupportedGrants,
): Promise<object> {
  const parameters = await readClientForm(ctx);
  const requested = parameters.get("grant_type");
  const proof = proofs.find(({ type }) => type === requested);
  if (proof && namesNoClient(ctx, parameters)) {
    return await tokenOfProvenClient(ctx, proof, parameters);
  }
  const clientRequest = await authenticateClient(ctx, parameters);
  const { client } = clientRequest;
  const grant = requireGrant(ctx, client, requested, grants);
  const request = { ...clientRequest, ...await requireKeys(ctx, client) };
  const outcome = await grant.redeem(ctx, request);
  const issued = "response" in outcome ? outcome : await issue(ctx, request, outcome);
  return report(ctx, client, grant.type, issued);
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

/** How a grant type proves the client of a request, if it does on this server. */
interface RequestedProof extends ClientProof {
  type: string;
}

/** Issues a token to a client that the grant itself proves. */
async function tokenOfProvenClient(
  ctx: RequestContext,
  { type, prove }: RequestedProof,
  parameters: FormParameters,
): Promise<object> {
  ctx.note({ grantType: type });
  const proven = await prove(ctx, parameters);
  const keys = await requireKeys(ctx, proven.client);
  const { client, ...result } = await proven.redeem(keys.jkt);
  const issued = await issue(ctx, { client, ...keys, parameters }, result);
  return report(ctx, client, type, issued);
}

function report(
  ctx: RequestContext,
  { id: client }: Client,
  grantType: string,
  { response, scope, authorization }: CompleteResponse,
): object {
  const ofAuthorization = authorization && { authorization: authorization.id };
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

/** Finds the requested grant, if this server supports it and the client may use it. */
function requireGrant(
  ctx: RequestContext,
  client: Client,
  requested: string | undefined,
  supported: SupportedGrants["grants"],
): Grant {
  const type = requirePresent(ctx.apply, grantTypeRules.present, requested);
  const types = { received: type, expected: ctx.settings.grantTypes };
  const grant = requireValue(ctx.apply, grantTypeRules.supported, types, supported.get(type));
  ctx.note({ grantType: type });
  ctx.apply(grantTypeRules.allowed, { received: type, expected: client.grantTypes });
  return grant;
}
