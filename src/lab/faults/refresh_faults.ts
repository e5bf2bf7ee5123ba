import { numericDate } from "../../server/issuer/time.ts";
import { day } from "../../server/util/time/duration.ts";
import { jsonOf, type WireResponse, withJson } from "../recording/exchange.ts";
import { readToken, writeToken } from "../tokens/signed_tokens.ts";
import type { ChangingFault, FaultKind } from "./fault.ts";
import { failureResponse } from "./http_faults.ts";
import { claims, commonForgeries, type JwtChange } from "./jwt_forgery.ts";
import { forgeryFault, jwtPlaces } from "./jwt_places.ts";
import { isRefresh } from "./places.ts";

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

/** The faults in a refresh, by name. */
export const refreshFaults: Record<RefreshFaultName, FaultKind> = {
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
  "refresh.less_scope": lessScope("A refresh", isRefresh),
  "refresh.old_token_sent": {
    summary:
      "The refresh token is replaced, but the response has the old one, which no longer works.",
    appliesTo: isRefresh,
    canChange: (response) => jsonOf(response)?.refresh_token !== undefined,
    change: (response, { request }) =>
      withJson(response, (body) => ({ ...body, refresh_token: request.form.get("refresh_token") })),
  },
  "refresh.wrong_iss": idTokenFault(commonForgeries.wrong_iss),
  "refresh.wrong_sub": idTokenFault({
    what: "is about a different user than that of the login",
    change: claims(() => ({ sub: "someone-else" })),
  }),
  "refresh.wrong_aud": idTokenFault(commonForgeries.wrong_aud),
  "refresh.old_iat": idTokenFault({
    what: "was issued a day before the login, according to its iat",
    change: claims(({ server }) => ({ iat: numericDate(server.context) - 1 * day })),
  }),
};

/** Creates a fault in the ID token of a refresh (OpenID Connect Core, section 12.2). */
function idTokenFault(forgery: JwtChange): FaultKind {
  const place = { ...jwtPlaces.id_token, appliesTo: isRefresh };
  return forgeryFault(place, `The ID token of a refresh ${forgery.what}.`, forgery);
}

/** Creates a fault by which a token request grants less than it asks for. */
export function lessScope(what: string, appliesTo: ChangingFault["appliesTo"]): ChangingFault {
  return {
    summary: `${what} grants less: the last scope is missing, and the response says so.`,
    appliesTo,
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
  };
}

/** Returns the scope of a token response without its last token, if it has more than one. */
function smallerScope(response: WireResponse): string | undefined {
  const scope = jsonOf(response)?.scope;
  const tokens = typeof scope === "string" ? scope.split(" ") : [];
  return tokens.length > 1 ? tokens.slice(0, -1).join(" ") : undefined;
}
