import { jsonResponse } from "../../server/http/response.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { WireRequest } from "../recording/exchange.ts";
import { identifyValue } from "../recording/presented_values.ts";
import { userValues } from "./added_claims.ts";
import { type LearnedRefusal, learnScopeRefusal, learnTokenRefusal } from "./api_refusals.ts";
import type { ApiRefusal } from "./member_settings.ts";
import type { UserApi } from "./place_settings.ts";
import { fillTemplate, type TemplateValues } from "./template.ts";

const unauthorized: ApiRefusal = { status: 401, body: { error: "invalid_token" } };
const forbidden: ApiRefusal = { status: 403, body: { error: "insufficient_scope" } };

/** Returns the access token of a request for an API. Some take the scheme `token` as well. */
export function apiTokenOf({ headers }: WireRequest): string {
  const [, token = ""] = /^(?:bearer|token) +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  return token;
}

/** Responds as an API does that describes the user who signed in. */
export async function respondAsUserApi(
  ctx: Context,
  api: UserApi,
  token: string,
  values: TemplateValues,
  learned: LearnedRefusal,
): Promise<ResponseData> {
  const identified = token === "" ? undefined : await identifyValue(ctx, token);
  if (identified?.kind !== "access token" || !identified.user) {
    await learnTokenRefusal(ctx, token, learned);
    return refusalOfApi(api.unauthorized ?? unauthorized, values);
  }
  const { user, clientId: client, scope = "" } = identified;
  const granted = scope.split(" ");
  if (api.scopes && !api.scopes.some((each) => granted.includes(each))) {
    learnScopeRefusal(api.scopes, scope, learned);
    return refusalOfApi(api.forbidden ?? forbidden, values);
  }
  const template = withScopes(api, granted);
  const known = { ...values, ...userValues(user), client, scope, scopes: granted };
  const headers = Object.entries(api.headers ?? {})
    .map(([name, text]): [string, string] => [name, headerText(fillTemplate(text, known))]);
  return jsonResponse(fillTemplate(template, known), 200, headers);
}

function headerText(value: unknown): string {
  return Array.isArray(value) ? value.join(", ") : String(value);
}

function withScopes({ body, byScope = {} }: UserApi, granted: readonly string[]): unknown {
  const more = Object.entries(byScope).filter(([scope]) => granted.includes(scope));
  return more.length === 0 ? body : Object.assign({}, body, ...more.map(([, members]) => members));
}

/** Responds as an API does that refuses a request. */
function refusalOfApi({ status, body }: ApiRefusal, values: TemplateValues): ResponseData {
  return jsonResponse(fillTemplate(body, values), status);
}
