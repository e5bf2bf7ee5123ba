import { jsonOf, type WireRequest, type WireResponse, withJson } from "../recording/exchange.ts";
import { readToken, writeToken } from "../tokens/signed_tokens.ts";
import type { ChangingFault, FaultKind } from "./fault.ts";
import { failureResponse } from "./http_faults.ts";
import { isRefresh, places } from "./places.ts";

/** The name of a fault of the token endpoint. */
export type TokenFaultName =
  | `token.${
    | "without_scope"
    | "without_expires_in"
    | "without_token_type"
    | "without_id_token"
    | "without_access_token"
    | "wrong_token_type"
    | "invalid_grant"
    | "invalid_client"
    | "temporarily_unavailable"}`
  | `refresh.${"invalid_grant" | "not_rotated" | "old_token_sent" | "less_scope"}`;

/** The faults of the token endpoint, by name. */
export const tokenFaults: Record<TokenFaultName, FaultKind> = {
  "token.without_scope": missingMember("scope"),
  "token.without_expires_in": missingMember("expires_in"),
  "token.without_token_type": missingMember("token_type"),
  "token.without_id_token": missingMember("id_token"),
  "token.without_access_token": missingMember("access_token"),
  "token.wrong_token_type": bodyFault(
    "The token response has the unknown token_type 'mac'.",
    (body) => ({ ...body, token_type: "mac" }),
  ),
  "token.invalid_grant": tokenError(
    "invalid_grant",
    400,
    "The code or refresh token is unknown, expired, revoked, or another client's.",
  ),
  "token.invalid_client": tokenError(
    "invalid_client",
    401,
    "The client is unknown, or it did not authenticate in the way it is registered for.",
  ),
  "token.temporarily_unavailable": tokenError(
    "temporarily_unavailable",
    503,
    "The server is down for maintenance.",
  ),
  "refresh.invalid_grant": {
    summary:
      "The token endpoint rejects a refresh token with invalid_grant; with 'nth', at its nth use.",
    appliesTo: isRefresh,
    respond: async () =>
      failureResponse(
        400,
        "invalid_grant",
        "The refresh token is unknown, expired, revoked, or another client's.",
      ),
  },
  "refresh.not_rotated": {
    summary: "The refresh token is not replaced: the same one is sent again and keeps working.",
    appliesTo: isRefresh,
    canChange: (response) => jsonOf(response)?.refresh_token !== undefined,
    change: (response, { request, aliases }) => {
      const old = request.form.get("refresh_token") ?? "";
      aliases.set(old, String(jsonOf(response)?.refresh_token));
      return withJson(response, (body) => ({ ...body, refresh_token: old }));
    },
  },
  "refresh.less_scope": {
    summary: "A refresh grants less: the last scope is missing, and the response says so.",
    appliesTo: isRefresh,
    canChange: (response) => smallerScope(response) !== undefined,
    change: async (response, { server: { context } }) => {
      const scope = smallerScope(response);
      const token = String(jsonOf(response)?.access_token);
      const draft = await readToken(context, token);
      if (!draft) return response;
      const claims = { ...draft.claims, scope };
      const access_token = await writeToken(context, token, { ...draft, claims });
      return withJson(response, (body) => ({ ...body, access_token, scope }));
    },
  },
  "refresh.old_token_sent": {
    summary:
      "The refresh token is replaced, but the response has the old one, which no longer works.",
    appliesTo: isRefresh,
    canChange: (response) => jsonOf(response)?.refresh_token !== undefined,
    change: (response, { request }) =>
      withJson(response, (body) => ({ ...body, refresh_token: request.form.get("refresh_token") })),
  },
};

function missingMember(member: string): ChangingFault {
  return {
    summary: `The token response has no ${member}.`,
    appliesTo: places.token,
    canChange: (response) => jsonOf(response)?.[member] !== undefined,
    change: (response) => withJson(response, ({ [member]: _, ...rest }) => rest),
  };
}

function bodyFault(
  summary: string,
  change: (body: Record<string, unknown>) => Record<string, unknown>,
): ChangingFault {
  return {
    summary,
    appliesTo: places.token,
    canChange: isTokenResponse,
    change: (response) => withJson(response, change),
  };
}

function tokenError(error: string, status: number, description: string): FaultKind {
  const headers: WireResponse["headers"] = status === 401
    ? [["WWW-Authenticate", 'Basic realm="hallpass", charset="UTF-8"']]
    : [];
  return {
    summary: `The token endpoint fails with ${error}; the code or refresh token remains usable.`,
    appliesTo: (request: WireRequest) => places.token(request),
    respond: async () => failureResponse(status, error, description, headers),
  };
}

function isTokenResponse(response: WireResponse): boolean {
  return jsonOf(response)?.access_token !== undefined;
}

/** Returns the scope of a token response without its last token, if it has more than one. */
function smallerScope(response: WireResponse): string | undefined {
  const scope = jsonOf(response)?.scope;
  const tokens = typeof scope === "string" ? scope.split(" ") : [];
  return tokens.length > 1 ? tokens.slice(0, -1).join(" ") : undefined;
}
