import type { JWK } from "jose";
import { type KeyMaker, makeKey } from "../../server/config/policies.ts";
import { type SigningAlgorithm, testOnly } from "../../server/model/signing.ts";

/**
 * The RSA key for tests that almost every lab signs with. It is no secret, as the `kid` of every
 * token says.
 */
const firstKey: JWK = {
  kty: "RSA",
  n: "5bblrC0cFOIE2N3wuJQK5NsXtCn2LLf7EURT80oNwHqgIj43xJBHAQIXuk4UzcEaaLFlzSKHpyUqSgjje78ZGPoUOZvb2Gr6tBiI2BSpoxrFLluJBJdjc6Hf_Ai0TCjBCDAZIUBEN-KWTGRA5_7Y0OyeRmasitRRmrA7rZHPY7-IQPOihXjnhPPUFDDmcsKT3yIe99AgFpcir9ojQAF4V-Jx1sCgOf9BqZ8BPOiu_5Ve4cAYo2yF3SZiF4KrFELSFYvsdp7hNg-xHtgoz_bKJ3Nt-LhVDIhodEwWKXDBEiz2OO40mEwvdaF6xR5PmptPJI2JS-hmflCR9jFJMGnODw",
  e: "AQAB",
  d: "Hsgpcq8AylOXLrBe53z_ELfDL2NIF6n3vNKZJUrRGO_VsYEA3BgxS5NKNq7r3r53mXvcFmcAIoe6aP1T7msnI8-vEiEujouXWLbI75ulN7QIpDOj4reengodB5rq_iGf7Eb1txzzh0GXvljY0b22tBhhBTIRAPF-lenztUiKr-TjiX6z48a_dKo1CNlLizdzohkcxxlEm5Fj-ZnVx99TJFYMsoaBecdEcQlNT-yVGyoY2uplNGUl3osdQb88Et_tKsqHt3pm_jfmo9MZWuT3BMb1gH7F2Bfhu9ir7l7hswqB6gCYrqr3ns9f9idmZzrTB845OXrPa7gETAAA_qVWUQ",
  p: "-hYwJOScSp4A1mgdQkXRNrjLX8ldwfL_b4MtZHxWlV0PKcNL-lV0JzuEOq6-M7SIlY2qJmxaJ95yxMGmwmEq7eW-G-KEHewdlH4AhfgxPdmPva_t4T2FOCPy-GP3_8_wm5yUchWPXo3bgnz1bucHfglSGKHsP5N_P6uJFgSkor0",
  q: "6yVkmDMe3YRQSAiXRhAOBfHJsOQ6aEJROiu_XHotCxnOh264VeU4qLvxqcb0SjYGx-ZToAu-Z-pEf6KRo3422RavXeZsFEA94NHDuJbfjYk9lKpg-dFLT-vEVqSQ8qRZtbhv1gEz6q5RWGAyxc5rHXZg5cysT8VYsjJHRkZYhrs",
  dp:
    "2BgWD7ruhddTl_Cs35geeG9jZGhGOJG1QHET5xE9a6DWulqDq1Lto_zcfCyEM39aygd4L-1OVcb0WqmOY8W8Z4YuKEApswVUZfwejaRxQCVe_CQpo4gaNfFyQEl5gLT4Di5VYuLYWHaxZ2Z8WREOO0zogFpiHmlf-e9J7Bmk_O0",
  dq:
    "42OKjn_I1i-QLshX-MGnvendv3hEXvPadqU9bOEc08JF7MON8Eo0az8r56DkNStfjUlXDsqsevKZANAlg_OWeIGuXeBoHYEuFUzjton3bngLm8rS8mGJMaTtfVewb2Os-MR9KXaKTOP697o2_v-op5oFA9PTwWQ2bEOglv2Jt-c",
  qi:
    "lhS_hnINFRg1avrrrfuX87gT2aM1k1W3mNbpyHfWjo9kOwqfxXhje1pWs9loQpRa5nYL_CoRPgEYpGBY6G4-mwAAGNoftkaztusDrQXCp7D3EhaqRVt3zXxlBUrqZ_qNaIYDgoWUBB_uypuhpwhGYTB5gR_Rnp5RjDb4IbEVHII",
};

/** Returns baked keys as long as there are any, because making one takes longer than a test. */
export const makeTestKey: KeyMaker = async (alg, id, generation) => {
  const kid = `${testOnly}${id}`;
  const baked = await findBakedKey(alg, generation);
  return baked ? { ...baked, alg, use: "sig", kid } : await makeKey(alg, kid, generation);
};

async function findBakedKey(alg: SigningAlgorithm, generation: number): Promise<JWK | undefined> {
  if (alg === "RS256" && generation === 0) return firstKey;
  const { rareKeys } = await import("./rare_test_keys.ts");
  return rareKeys[alg]?.[generation];
}
