import { randomId } from "../issuer/random.ts";
import type { KeyMaker } from "../issuer/key_maker.ts";
import { makeKey } from "../issuer/key_maker.ts";
import { bakedRsaKeys } from "./baked_keys.ts";

/** Keys that are there at once, and that say in their `kid` what they are worth. */
export const makeTestKey: KeyMaker = async (alg) => {
  const kid = `TEST-ONLY-${randomId()}`;
  if (alg === "RS256") return { ...bakedRsaKeys[0], alg, use: "sig", kid };
  if (alg === "PS256") return { ...bakedRsaKeys[1], alg, use: "sig", kid };
  return { ...await makeKey(alg), kid };
};
