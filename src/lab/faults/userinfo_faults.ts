import { jsonOf, withJson } from "../recording/exchange.ts";
import { isSuccessfulJson } from "./document_faults.ts";
import type { ChangingFault, FaultKind } from "./fault.ts";
import { commonForgeries, type JwtChange } from "./jwt_forgery.ts";
import { forgeryFault, jwtPlaces } from "./jwt_places.ts";
import { aggregatedClaims, distributedClaims } from "./referenced_claims.ts";

/** What can be wrong with a userinfo response only if it is signed. */
export type UserinfoForgery = "wrong_iss" | "wrong_aud" | "alg_none" | "foreign_signature";

/** The name of a fault in userinfo. */
export type UserinfoFaultName = `userinfo.${
  | "without_sub"
  | "wrong_sub"
  | "aggregated_claims"
  | "distributed_claims"
  | UserinfoForgery}`;

type UserClaims = Record<string, unknown>;

/** The faults in userinfo, by name. */
export const userinfoFaults: Record<UserinfoFaultName, FaultKind> = {
  "userinfo.without_sub": claimsFault(
    "The userinfo response has no sub.",
    ({ sub: _, ...claims }) => claims,
  ),
  "userinfo.wrong_sub": claimsFault(
    "The userinfo response is about a different user than the ID token.",
    (claims) => ({ ...claims, sub: "someone-else" }),
  ),
  "userinfo.aggregated_claims": claimsFault(
    "The userinfo response has a claim that another issuer signed, in _claim_names and " +
      "_claim_sources.",
    async (claims) => ({ ...claims, ...await aggregatedClaims(claims.sub) }),
  ),
  "userinfo.distributed_claims": claimsFault(
    "The userinfo response names a claim that has to be fetched from another server.",
    (claims) => ({ ...claims, ...distributedClaims() }),
  ),
  "userinfo.wrong_iss": signedFault(commonForgeries.wrong_iss),
  "userinfo.wrong_aud": signedFault(commonForgeries.wrong_aud),
  "userinfo.alg_none": signedFault(commonForgeries.alg_none),
  "userinfo.foreign_signature": signedFault(commonForgeries.foreign_signature),
};

/** Creates a fault in the claims of a response, which is JSON or a JWT that the server signs. */
function claimsFault(
  summary: string,
  change: (claims: UserClaims) => UserClaims | Promise<UserClaims>,
): ChangingFault {
  const forgery: JwtChange = {
    what: "",
    change: async ({ header, claims }) => ({ header, claims: await change(claims) }),
  };
  const signed = forgeryFault(jwtPlaces.userinfo, summary, forgery);
  return {
    ...signed,
    canChange: (response, context) =>
      isSuccessfulJson(response) || signed.canChange(response, context),
    async change(response, context) {
      if (!isSuccessfulJson(response)) return await signed.change(response, context);
      const changed = await change(jsonOf(response) ?? {});
      return withJson(response, () => changed);
    },
  };
}

/** Creates a fault that never fires for a response that is not signed. */
function signedFault(forgery: JwtChange): ChangingFault {
  return forgeryFault(
    jwtPlaces.userinfo,
    `The signed userinfo response ${forgery.what}.`,
    forgery,
  );
}
