import { numericDate } from "../../../server/issuer/time.ts";
import { day } from "../../../server/util/time/duration.ts";
import { tokenOf, type WireResponse } from "../../recording/exchange.ts";
import { failureResponse } from "../../responses/failure_response.ts";
import { jsonAt, type JsonMembers, type ResponsePart, tokenIn } from "../../responses/part.ts";
import { isRefresh, places } from "../../responses/places.ts";
import { changeToken } from "../../tokens/signed_tokens.ts";
import type { ChangingFault, FaultKind } from "./fault.ts";
import { changing, failing, forging, hasMember, withoutMember } from "./fault_kinds.ts";
import { commonForgeries, setClaims } from "./jwt_forgery.ts";

/** The name of a fault of the token endpoint. */
export type TokenFaultName = `token.${
  | `without_${"scope" | "expires_in" | "token_type" | "id_token" | "access_token"}`
  | "wrong_token_type"
  | "bearer_for_dpop"
  | "token_type_in_other_case"
  | "less_scope"
  | "invalid_grant"
  | "invalid_client"
  | "temporarily_unavailable"}`;

/** The name of a fault in a refresh. */
export type RefreshFaultName = `refresh.${
  | "invalid_grant"
  | "not_rotated"
  | "old_token_sent"
  | "less_scope"
  | "wrong_iss"
  | "wrong_sub"
  | "wrong_aud"
  | "old_iat"}`;

/** The name of a fault that counts uses. */
export type CountedFaultName = "access_token.used_up";

const tokenResponse = jsonAt(places.token);
const refreshResponse = jsonAt(isRefresh);

export const tokenFaults: Record<
  TokenFaultName | RefreshFaultName | CountedFaultName,
  FaultKind
> = {
  "token.without_scope": tokenResponseWithout("scope"),
  "token.without_expires_in": tokenResponseWithout("expires_in"),
  "token.without_token_type": tokenResponseWithout("token_type"),
  "token.without_id_token": tokenResponseWithout("id_token"),
  "token.without_access_token": tokenResponseWithout("access_token"),
  "token.wrong_token_type": changing(
    tokenResponse,
    "The token response has the unknown token_type 'mac'.",
    (body) => ({ ...body, token_type: "mac" }),
    hasMember("access_token"),
  ),
  "token.bearer_for_dpop": changing(
    tokenResponse,
    "The token response has the token_type Bearer, although the client sent a DPoP proof.",
    (body) => ({ ...body, token_type: "Bearer" }),
    ({ token_type }) => token_type === "DPoP",
  ),
  "token.token_type_in_other_case": changing(
    tokenResponse,
    "The token response has its token_type in the other case: 'bEARER'.",
    (body) => ({ ...body, token_type: swapCase(String(body.token_type)) }),
    hasMember("access_token"),
  ),
  "token.less_scope": lessScope(
    "A token request without a user",
    jsonAt((request) =>
      places.token(request) && request.form.get("grant_type") === "client_credentials"
    ),
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
    [["WWW-Authenticate", 'Basic realm="hallpass", charset="UTF-8"']],
  ),
  "token.temporarily_unavailable": tokenError(
    "temporarily_unavailable",
    503,
    "The server is down for maintenance.",
  ),
  "refresh.invalid_grant": failing(
    isRefresh,
    "The token endpoint rejects a refresh token with invalid_grant; with 'nth', at its nth use.",
    400,
    "invalid_grant",
    "The refresh token is unknown, expired, revoked, or another client's.",
  ),
  "refresh.not_rotated": changing(
    refreshResponse,
    "The refresh token is not replaced, and keeps working.",
    (body, { request, aliases }) => {
      const old = request.form.get("refresh_token") ?? "";
      aliases.set(old, String(body.refresh_token));
      return { ...body, refresh_token: old };
    },
    hasMember("refresh_token"),
  ),
  "refresh.less_scope": lessScope("A refresh", refreshResponse),
  "refresh.old_token_sent": changing(
    refreshResponse,
    "The response to a refresh has the old token, which no longer works.",
    (body, { request }) => ({ ...body, refresh_token: request.form.get("refresh_token") }),
    hasMember("refresh_token"),
  ),
  // OpenID Connect Core, section 12.2
  ...forging("refresh", tokenIn("id_token", isRefresh), "ID token of a refresh", {
    wrong_iss: commonForgeries.wrong_iss,
    wrong_sub: {
      what: "is about a different user than that of the login",
      change: setClaims(() => ({ sub: "someone-else" })),
    },
    wrong_aud: commonForgeries.wrong_aud,
    old_iat: {
      what: "was issued a day before the login, according to its iat",
      change: setClaims(({ server }) => ({ iat: numericDate(server.context) - 1 * day })),
    },
  }),
  // Expiry by the number of uses, which needs no clock. With `nth: 3`, a token works twice.
  "access_token.used_up": {
    summary:
      "An access token has expired for userinfo and introspection; with 'nth: 3', it works twice.",
    appliesTo: (request) =>
      places.introspect(request) || (places.userinfo(request) && tokenOf(request) !== undefined),
    respond: async ({ request }) => places.userinfo(request) ? expired() : inactive,
  },
};

const inactive = {
  status: 200,
  headers: [["Content-Type", "application/json"]] as Array<[string, string]>,
  body: '{"active":false}',
};

function expired(): WireResponse {
  const challenge = 'Bearer realm="hallpass", error="invalid_token", ' +
    'error_description="The access token has expired."';
  return failureResponse(401, "invalid_token", "The access token has expired.", [[
    "WWW-Authenticate",
    challenge,
  ]]);
}

function tokenResponseWithout(name: string): ChangingFault {
  return changing(
    tokenResponse,
    `The token response has no ${name}.`,
    withoutMember(name),
    hasMember(name),
  );
}

function tokenError(
  error: string,
  status: number,
  description: string,
  headers: WireResponse["headers"] = [],
): FaultKind {
  const summary =
    `The token endpoint fails with ${error}; the code or refresh token remains usable.`;
  return failing(places.token, summary, status, error, description, headers);
}

/** Creates a fault by which a token request grants less than it asks for. */
function lessScope(what: string, response: ResponsePart<JsonMembers>): ChangingFault {
  return changing(
    response,
    `${what} grants all but the last scope, and the response says so.`,
    async (body, { server }) => {
      const scope = smallerScope(body);
      const access_token = await changeToken(
        server.context,
        String(body.access_token),
        ({ header, claims }) => ({ header, claims: { ...claims, scope } }),
      );
      return { ...body, access_token, scope };
    },
    (body) => smallerScope(body) !== undefined,
  );
}

/** Returns the scope of a token response without its last token, if it has more than one. */
function smallerScope({ scope }: JsonMembers): string | undefined {
  const tokens = typeof scope === "string" ? scope.split(" ") : [];
  return tokens.length > 1 ? tokens.slice(0, -1).join(" ") : undefined;
}

function swapCase(text: string): string {
  return [...text].map((letter) => {
    const upper = letter.toUpperCase();
    return letter === upper ? letter.toLowerCase() : upper;
  }).join("");
}
