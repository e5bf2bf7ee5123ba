import type { JWK } from "jose";
import { type KeyMaker, makeKey } from "../../config/policies.ts";
import type { SigningAlgorithm } from "../../model/signing.ts";
import { bakedRsaKeys } from "./baked_keys.ts";

/** Begins the `kid` of every key of a lab. */
export const testOnly = "TEST-ONLY-";

/** Keys that are there at once, for as many generations as were baked, and that say in their `kid` what they are worth. */
export const makeTestKey: KeyMaker = async (alg, id, generation) => {
  const kid = `${testOnly}${id}`;
  const baked = bakedFor(alg)[generation];
  return baked ? { ...baked, alg, use: "sig", kid } : await makeKey(alg, kid, generation);
};

/** No key signs with two algorithms. */
function bakedFor(alg: SigningAlgorithm): readonly JWK[] {
  if (alg === "RS256") return [bakedRsaKeys[0], bakedRsaKeys[2]];
  return alg === "PS256" ? [bakedRsaKeys[1], bakedRsaKeys[3]] : [];
}
