import { type KeyMaker, makeKey } from "../../config/policies.ts";
import { bakedKeys } from "./baked_keys.ts";

/** The start of the `kid` of every key of a lab. */
export const testOnly = "TEST-ONLY-";

/** Returns baked keys as long as there are any, because making one takes longer than a test. */
export const makeTestKey: KeyMaker = async (alg, id, generation) => {
  const kid = `${testOnly}${id}`;
  const baked = bakedKeys[alg]?.[generation];
  return baked ? { ...baked, alg, use: "sig", kid } : await makeKey(alg, kid, generation);
};
