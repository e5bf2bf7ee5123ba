import { type KeyMaker, makeKey } from "../../../server/config/policies.ts";
import { testOnly } from "../../../server/model/signing.ts";
import { bakedKeys } from "./baked_keys.ts";

/** Returns baked keys as long as there are any, because making one takes longer than a test. */
export const makeTestKey: KeyMaker = async (alg, id, generation) => {
  const kid = `${testOnly}${id}`;
  const baked = bakedKeys[alg]?.[generation];
  return baked ? { ...baked, alg, use: "sig", kid } : await makeKey(alg, kid, generation);
};
