import { jsonOf, type WireRequest, type WireResponse, withJson } from "../recording/exchange.ts";
import type { ChangingFault, FaultKind } from "./fault.ts";
import { failureResponse } from "./http_faults.ts";
import { places } from "./places.ts";
import { lessScope } from "./refresh_faults.ts";

/** The name of a fault of the token endpoint. */
export type TokenFaultName = `token.${
  | "without_scope"
  | "without_expires_in"
  | "without_token_type"
  | "without_id_token"
  | "without_access_token"
  | "wrong_token_type"
  | "token_type_in_other_case"
  | "less_scope"
  | "invalid_grant"
  | "invalid_client"
  | "temporarily_unavailable"}`;

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
  "token.token_type_in_other_case": bodyFault(
    "The token response has its token_type in the other case: 'bEARER'.",
    (body) => ({ ...body, token_type: swapCase(String(body.token_type)) }),
  ),
  "token.less_scope": lessScope(
    "A token request for the client itself, without a user,",
    (request) => places.token(request) && request.form.get("grant_type") === "client_credentials",
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

function swapCase(text: string): string {
  return [...text].map((letter) => {
    const upper = letter.toUpperCase();
    return letter === upper ? letter.toLowerCase() : upper;
  }).join("");
}
