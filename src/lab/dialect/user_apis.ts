import { findAccessToken } from "../../server/endpoints/userinfo.ts";
import { jsonResponse } from "../../server/http/response.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import type { Context } from "../../server/issuer/context.ts";
import { findActiveToken } from "../../server/issuer/tokens/active_tokens.ts";
import { OAuthError, toRefusal } from "../../server/protocol/oauth_error.ts";
import { readPresentedToken } from "../../server/protocol/presented_token.ts";
import { createRuleLog } from "../../server/protocol/rule.ts";
import type { ReportedFacts, WireRequest } from "../recording/exchange.ts";
import { userValues } from "./added_claims.ts";
import type { UserApi } from "./place_settings.ts";
import type { ApiRefusal } from "./response_settings.ts";
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
  learned: ReportedFacts,
): Promise<ResponseData> {
  const found = token === "" ? undefined : await findActiveToken(ctx, token);
  if (found?.kind !== "access" || !found.active?.user) {
    await learnTokenRefusal(ctx, token, learned);
    return refusalOfApi(api.unauthorized ?? unauthorized, values);
  }
  const { active: { user }, client: { id: client }, claims: { scope = "", exp } } = found;
  const granted = scope.split(" ");
  if (api.scopes && !api.scopes.some((each) => granted.includes(each))) {
    const message = `The access token needs the scope '${api.scopes.join("' or '")}'.`;
    const details = { received: scope || "none", expected: api.scopes.join(" or ") };
    learnRefusal(new OAuthError("insufficient_scope", message, details), learned);
    return refusalOfApi(api.forbidden ?? forbidden, values);
  }
  const more = Object.entries(api.byScope ?? {}).filter(([each]) => granted.includes(each));
  const template = more.length === 0
    ? api.body
    : Object.assign({}, api.body, ...more.map(([, members]) => members));
  const expires = new Date(exp * 1000).toISOString();
  const known = { ...values, ...userValues(user), client, scope, scopes: granted, expires };
  const headers = Object.entries(api.headers ?? {})
    .map(([name, text]): [string, string] => {
      const value = fillTemplate(text, known);
      return [name, Array.isArray(value) ? value.join(", ") : String(value)];
    });
  return jsonResponse(fillTemplate(template, known), 200, headers);
}

/** Responds as an API does that refuses a request. */
function refusalOfApi({ status, body }: ApiRefusal, values: TemplateValues): ResponseData {
  return jsonResponse(fillTemplate(body, values), status);
}

/** The API of a provider has no route at the server: the rules for its token are applied here. */
async function learnTokenRefusal(
  ctx: Context,
  token: string,
  learned: ReportedFacts,
): Promise<void> {
  const { applied, apply } = createRuleLog(true);
  const header = token === "" ? null : `Bearer ${token}`;
  const policy = { schemes: ["Bearer"], algs: [] } as const;
  learned.rules = applied;
  try {
    readPresentedToken(apply, header, undefined, policy);
    await findAccessToken({ ...ctx, apply }, token);
    const problem = "The access token is not about a user.";
    learnRefusal(new OAuthError("insufficient_scope", problem), learned);
  } catch (cause) {
    if (!(cause instanceof OAuthError)) throw cause;
    learnRefusal(cause, learned);
  }
}

function learnRefusal(error: OAuthError, learned: ReportedFacts): void {
  learned.events = [...learned.events, {
    type: "request.refused",
    method: "GET",
    path: "unknown",
    status: error.status,
    ...toRefusal(error),
  }];
}
