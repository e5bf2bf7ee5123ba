import { signedCallback } from "../../responses/part.ts";
import type { FaultKind } from "./fault.ts";
import { forging } from "./fault_kinds.ts";
import { commonForgeries, withoutClaim } from "./jwt_forgery.ts";

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

/** The faults in signed authorization responses (JARM, section 2.4), by name. */
export const jarmFaults: Record<JarmFaultName, FaultKind> = forging(
  "jarm",
  signedCallback,
  "signed authorization response (JARM)",
  {
    wrong_iss,
    wrong_aud,
    expired,
    without_iss: withoutClaim("iss"),
    without_aud: withoutClaim("aud"),
    without_exp: withoutClaim("exp"),
    alg_none,
    foreign_signature,
  },
);
