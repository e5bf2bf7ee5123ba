import type { FaultKind } from "./fault.ts";
import { commonForgeries, type JwtChange, withoutClaim } from "./jwt_forgery.ts";
import { forgeryFault, jwtPlaces } from "./jwt_places.ts";

/** What can be wrong with a signed authorization response. */
export type JarmForgery =
  | "wrong_iss"
  | "wrong_aud"
  | "expired"
  | "without_iss"
  | "without_aud"
  | "without_exp"
  | "alg_none"
  | "foreign_signature";

/** The name of a fault in a signed authorization response (JARM): `"jarm.wrong_aud"`. */
export type JarmFaultName = `jarm.${JarmForgery}`;

const { wrong_iss, wrong_aud, expired, alg_none, foreign_signature } = commonForgeries;

const forgeries: Record<JarmForgery, JwtChange> = {
  wrong_iss,
  wrong_aud,
  expired,
  without_iss: withoutClaim("iss"),
  without_aud: withoutClaim("aud"),
  without_exp: withoutClaim("exp"),
  alg_none,
  foreign_signature,
};

/** The faults in signed authorization responses (JARM, section 2.4), by name. */
export function jarmFaults(): Record<JarmFaultName, FaultKind> {
  const kinds = Object.entries(forgeries).map(([word, forgery]) => [
    `jarm.${word}`,
    forgeryFault(
      jwtPlaces.response,
      `The signed authorization response (JARM) ${forgery.what}.`,
      forgery,
    ),
  ]);
  return Object.fromEntries(kinds);
}
