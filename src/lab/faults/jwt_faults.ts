import { hour } from "../../server/util/time/duration.ts";
import { type DecodedJwt, readJwt } from "../recording/credentials.ts";
import { jsonOf, type WireRequest, type WireResponse, withJson } from "../recording/exchange.ts";
import type { ChangingFault, FaultKind } from "./fault.ts";
import { idTokenForgeries, type IdTokenForgery } from "./id_token_forgeries.ts";
import {
  canForge,
  claims,
  commonForgeries,
  type CommonForgery,
  forgeJwt,
  type JwtChange,
  secondsNow,
} from "./jwt_forgery.ts";
import { places } from "./places.ts";

/** The name of a fault in a token that is a JWT: `"id_token.wrong_aud"`. */
export type JwtFaultName = `id_token.${JwtForgery | IdTokenForgery}` | `access_token.${JwtForgery}`;

/** What can be wrong with a token of the token endpoint. */
export type JwtForgery = CommonForgery | "wrong_azp" | "issued_in_future" | "unknown_kid";

/** What can be wrong with any token. */
const forgeries: Record<JwtForgery, JwtChange> = {
  ...commonForgeries,
  wrong_azp: {
    what: "was issued to a different client, according to its azp",
    change: claims(({ claims }) => ({
      azp: "someone-else",
      aud: [claims.aud, "someone-else"].flat(),
    })),
  },
  issued_in_future: {
    what: "was issued an hour in the future",
    change: claims(({ server }) => ({
      iat: secondsNow(server) + hour,
      exp: secondsNow(server) + 2 * hour,
    })),
  },
  unknown_kid: {
    what: "names a key that does not exist",
    change: ({ header, claims }) => ({ header: { ...header, kid: "unknown-key" }, claims }),
  },
};

/** "id_token.expired", "access_token.wrong_aud", … */
export function jwtFaults(): Record<JwtFaultName, FaultKind> {
  return {
    ...faultsOf("id_token", "ID token", { ...forgeries, ...idTokenForgeries }),
    ...faultsOf("access_token", "access token", forgeries),
  };
}

function faultsOf<Member extends string, Word extends string>(
  member: Member,
  name: string,
  changes: Record<Word, JwtChange>,
): Record<`${Member}.${Word}`, FaultKind> {
  const kinds = Object.entries<JwtChange>(changes).map(([word, change]) => [
    `${member}.${word}`,
    tokenFault(member, `The ${name} ${change.what}.`, change),
  ]);
  return Object.fromEntries(kinds);
}

/** Creates a fault in a JWT that is a member of a token response. */
export function tokenFault(
  member: string,
  summary: string,
  forgery: JwtChange,
  appliesTo: (request: WireRequest) => boolean = places.token,
): ChangingFault {
  return {
    summary,
    appliesTo,
    canChange(response) {
      const jwt = jwtIn(response, member);
      return jwt !== undefined && canForge(jwt, forgery);
    },
    async change(response, { server }) {
      const jwt = jwtIn(response, member);
      if (!jwt) return response;
      const forged = await forgeJwt(server, jwt, forgery);
      return withJson(response, (body) => ({ ...body, [member]: forged }));
    },
  };
}

function jwtIn(response: WireResponse, member: string): DecodedJwt | undefined {
  const value = jsonOf(response)?.[member];
  return typeof value === "string" ? readJwt(value) : undefined;
}
