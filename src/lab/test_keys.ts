import type { KeyMaker } from "../config/key_maker.ts";
import { makeKey } from "../config/key_maker.ts";
import { bakedRsaKeys } from "./baked_keys.ts";

/** Begins the `kid` of every key of a lab. */
export const testOnly = "TEST-ONLY-";

/** Keys that are there at once, and that say in their `kid` what they are worth. */
export const makeTestKey: KeyMaker = async (alg, id) => {
  const kid = `${testOnly}${id}`;
  if (alg === "RS256") return { ...bakedRsaKeys[0], alg, use: "sig", kid };
  if (alg === "PS256") return { ...bakedRsaKeys[1], alg, use: "sig", kid };
  return await makeKey(alg, kid);
};
