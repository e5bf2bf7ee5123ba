import { jsonResponse } from "../../server/http/response.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import { revokeAuthorization } from "../../server/issuer/authorizations/authorizations.ts";
import { findClient } from "../../server/issuer/clients/clients.ts";
import type { Context } from "../../server/issuer/context.ts";
import { findActiveToken } from "../../server/issuer/tokens/active_tokens.ts";
import { equalInConstantTime, sha256 } from "../../server/util/crypto/hash.ts";
import { isObject, parseJson } from "../../server/util/text/json.ts";
import { basicPair } from "../recording/credentials.ts";
import { parameterOf, type ReportedFacts, type WireRequest } from "../recording/exchange.ts";
import { userValues } from "./added_claims.ts";
import type { TokenApi } from "./place_settings.ts";
import type { ApiRefusal } from "./response_settings.ts";
import { fillTemplate, type TemplateValues } from "./template.ts";

/** Responds as an API does that describes or revokes the token of a request. */
export async function respondAsTokenApi(
  ctx: Context,
  { api, segment, request, values, originalOf }: {
    api: TokenApi;
    /** The open segment of the path, which names the client; empty if none is open. */
    segment: string;
    request: WireRequest;
    values: TemplateValues;
    /** Returns the token that the server issued, for one that a client presents. */
    originalOf(token: string): string;
  },
  learned: ReportedFacts,
): Promise<ResponseData> {
  const refuse = ({ status, body }: ApiRefusal) => jsonResponse(fillTemplate(body, values), status);
  const client = api.client && await authenticatedClient(ctx, request);
  if (api.client && client === undefined) return refuse(api.client.unauthorized);
  const known = await findActiveToken(ctx, originalOf(tokenIn(request, api.parameter)));
  const named = [client, segment || undefined].filter((id) => id !== undefined);
  const isOwn = named.every((id) => id === known?.client.id);
  if (!known?.active || !isOwn) return refuse(api.unknown);
  const { active: { authorization, user }, client: { id } } = known;
  if (api.revokes) {
    await revokeAuthorization(ctx, authorization, "its token was revoked");
    learned.events = [...learned.events, { type: "token.revoked", client: id, kind: known.kind }];
  }
  const scope = known.kind === "access" ? known.claims.scope : authorization.scope.join(" ");
  const described = { ...values, ...userValues(user), client: id, scope, scopes: scope.split(" ") };
  const { status = 200, body } = api;
  return body === undefined
    ? { status, headers: [], body: null }
    : jsonResponse(fillTemplate(body, described), status);
}

/** Returns the client that a secret in HTTP Basic authenticates, if it does. */
async function authenticatedClient(
  ctx: Context,
  { headers }: WireRequest,
): Promise<string | undefined> {
  const { id = "", secret = "" } = basicPair(headers.authorization) ?? {};
  const { secrets = [] } = await findClient(ctx, id) ?? {};
  const hash = await sha256(secret);
  return secrets.some((each) => equalInConstantTime(each.hash, hash)) ? id : undefined;
}

/** Returns the token in the query, the form, the JSON or the header of a request. */
function tokenIn(request: WireRequest, name: string): string {
  const json = parseJson(request.body);
  const member = isObject(json) ? json[name] : undefined;
  const [, bearer] = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  return parameterOf(request, name) ?? (typeof member === "string" ? member : bearer) ?? "";
}
