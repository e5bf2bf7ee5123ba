import { laterClaims, resign } from "../../client_role/signed_proofs.ts";
import { parameterOf, type WireRequest } from "../../recording/exchange.ts";
import { LabError } from "../../util/lab_error.ts";
import { withHeader, withParameter } from "./edited_request.ts";
import type { ChangedClaims, SignedChanges } from "./signed_claims.ts";
import { findSigningKey, type SignedSource } from "./signing_keys.ts";

/** Who signs the JWTs of a request again. */
export interface SigningAgain extends Omit<SignedSource, "privateKeys"> {
  /** How long ago they were signed, in seconds, for a lab that knows their ids. */
  elapsed: number | undefined;
}

/** Returns a request whose JWTs claim something else. */
export async function withClaims(
  request: WireRequest,
  { claims = {}, privateKeys = [] }: SignedChanges,
  { elapsed, ...source }: SigningAgain,
): Promise<WireRequest> {
  let changed = request;
  for (const [name, own] of Object.entries(claims) as Array<[keyof ChangedClaims, object]>) {
    const jwt = name === "dpop" ? changed.headers.dpop : parameterOf(changed, name);
    if (jwt === undefined) throw new LabError(`The request has no '${name}' that can be signed.`);
    const key = await findSigningKey(jwt, { ...source, privateKeys });
    if (!key) throw new LabError(`The lab does not have the key that signed the '${name}'.`);
    const later = elapsed === undefined ? {} : laterClaims(source.context, jwt, elapsed);
    const signed = await resign(jwt, { key, claims: { ...later, ...own } });
    changed = name === "dpop"
      ? withHeader(changed, name, signed)
      : withParameter(changed, name, [signed]);
  }
  return changed;
}
