import { numericDate } from "../../server/issuer/time.ts";
import { hour } from "../../server/util/time/duration.ts";
import type { FaultKind } from "./fault.ts";
import { idTokenForgeries, type IdTokenForgery } from "./id_token_forgeries.ts";
import { claims, commonForgeries, type CommonForgery, type JwtChange } from "./jwt_forgery.ts";
import { forgeryFault, jwtPlaces } from "./jwt_places.ts";

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
      iat: numericDate(server.context) + hour,
      exp: numericDate(server.context) + 2 * hour,
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

function faultsOf<Member extends "id_token" | "access_token", Word extends string>(
  member: Member,
  name: string,
  changes: Record<Word, JwtChange>,
): Record<`${Member}.${Word}`, FaultKind> {
  const kinds = Object.entries<JwtChange>(changes).map(([word, change]) => [
    `${member}.${word}`,
    forgeryFault(jwtPlaces[member], `The ${name} ${change.what}.`, change),
  ]);
  return Object.fromEntries(kinds);
}
