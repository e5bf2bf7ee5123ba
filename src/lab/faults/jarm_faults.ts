import { type DecodedJwt, readJwt } from "../recording/credentials.ts";
import type { WireResponse } from "../recording/exchange.ts";
import { callbackIn, memberOf, withCallback } from "../recording/wire_callback.ts";
import type { ChangingFault, FaultKind } from "./fault.ts";
import {
  canForge,
  commonForgeries,
  forgeJwt,
  type JwtChange,
  withoutClaim,
} from "./jwt_forgery.ts";
import { mayCallBack } from "./places.ts";

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
  const kinds = Object.entries(forgeries)
    .map(([word, forgery]) => [`jarm.${word}`, jarmFault(forgery)]);
  return Object.fromEntries(kinds);
}

/** Creates a fault that never fires for a response that is not signed. */
function jarmFault(forgery: JwtChange): ChangingFault {
  return {
    summary: `The signed authorization response (JARM) ${forgery.what}.`,
    appliesTo: mayCallBack,
    canChange(response, { server }) {
      const jwt = signedResponseIn(response, server.issuer);
      return jwt !== undefined && canForge(jwt, forgery);
    },
    async change(response, { server }) {
      const callback = callbackIn(response, server.issuer);
      const jwt = signedResponseIn(response, server.issuer);
      if (!callback || !jwt) return response;
      const forged = await forgeJwt(server, jwt, forgery);
      return withCallback(response, { ...callback, members: [["response", forged]] });
    },
  };
}

function signedResponseIn(response: WireResponse, issuer: string): DecodedJwt | undefined {
  return readJwt(memberOf(callbackIn(response, issuer), "response") ?? "");
}
