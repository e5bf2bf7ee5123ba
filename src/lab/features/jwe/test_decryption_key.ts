import type { JWK } from "jose";
import { type KeyAlgorithm, testOnly } from "../../../server/model/signing.ts";

/** Making an RSA key takes longer than a test. It is not secret, as its `kid` says. */
const rsaKey: JWK = {
  "kty": "RSA",
  "n":
    "shmelQ0vToWB5upxzI3JUNH3NffBV8kkdMOsRUVSxcKhz41sIdYY1S1wsKlKSSARTq-3DeuT72ft76skxBkLWRvFw0VpNI-nK0OcgumGzm8JkhmHuIYR1x9bd2X29d7yT8wY-gW4ifT5foSSQe1R7nKATkKCRPFqM6I0MTDczXcnqy__y8UW8a1zNFE2oLcfgs4ZI2mBOQ4TtxdyeVt-uhp9vn5j0LQQj1e30P7Vcqqw2LpUBW3Mz-ozP5XCNZav0e0Nqggeck9-L9k__pP2ERW96N6o1TKsHefG2ovcvnfqCx5A9uwgWk-T-O2PeZ8PKKZRJ7_eKCvdxawNxdYoQQ",
  "e": "AQAB",
  "d":
    "FOfKdFMDoEsuFBmlaX4kKRs4UiqmlIQdBiK4zDnGrUV7ImaGkJM1v4Ixtd7tRBeiSHL6QQVLzGCN7qHPc0BAU4GdzV3Oq1eIZxzs2HYKd51TiYV7J6b_HZoF7cY3fqVgmorJzMFSp8jsZ1Qu6dOuWBezJVyLt4WB8pUh3LtQU8Kr5FBRe95Js5_Iko-vhNPqRvNMMx0zjkTNTzrfpcaL3jRpgsANlab_4XDE8OWDyQk95Bz5nH1bvPT4fmogoM67d5lDLx8Ln0RBsC32n94lQ5ZJS5AVufdUxMJZ3PlL9XxwTkysaIN4KofVS-InXZzsNUrz1-AVjQCzsJqg1BkyZQ",
  "p":
    "96tANznxeOrkYQ0947A2CLQK27kgDQiMrE2fbOZWgvht3f06XiHC9drOFutGMzdX9m8UJKylbTHml_StfD9XLB4seUg5LkDrZKpM8vt1xf5Y5fFFyq8O2_cc8dhq35dAApWJ7vvD8GjjARugIPkI8HWShkf88T3vaFKCLKu35AU",
  "q":
    "uBdKdvUNhvN57_kPWDauflk9FSbRo4dOyy_bvl7w7biyUNSfhHlvqOeMRQ15Lti6RF0Oz-XqhH7ZvHD_lUpr3XEwPj7gF-RBpmo2n-WZfs9KJXOv0e0IZHgNrOObh4OaDFLQEov8vr1E4PG8o4ODe1jL_Y_0ZVIOLeAJ9aTJhA0",
  "dp":
    "ohl1yC-meivTGipejX2xf_TG_pSmA6HK4KNVayM_EC2lSxwIbb_PKLbzGFEY-0CH1AVTu8U76MI2WNKOEborRfbhyOeadUmMR7Cm-InYxaP5b1aBBW2aXiHY0fmByaHnBUn2o3IpBlq_6OO55JraXPe21SicxxBwd2k5Rh-GFjk",
  "dq":
    "YNMvQV4mnUJWcleHMJiiMqZxMDzYqrAyS0CCzaBWDFLGxyjuNdlBV49iAbfSc0dewTJI5iRBsyqdDzZH15frH--2tiaP60ENHqBi1rsGfuI8V3J_mWSYs29JkhOs7BvV3IF6Gycx6ojWP5Il68LyVuAfeuBKZThBaPObiW4A58k",
  "qi":
    "5D8RDD8RYlCW5k7P8xUuDvNKXGg6MfFz-xsJG-FYP7Q_ExePuZwsn65qFrPCO0KcaY4xBGGdKi6hKwoJhwSatlDppI3Fx_H2LuEG52QjFHUyyNo1Xq9Bcf5FUxKbh3qTRAt-2PP_020EMMdt6ATUOF24yHu-Ik-lNmkJ397ybZA",
};

/** Returns a baked key that decrypts, or undefined for an algorithm whose keys are made at once. */
export function testDecryptionKey(alg: KeyAlgorithm, id: string): JWK | undefined {
  return alg.startsWith("RSA-OAEP")
    ? { ...rsaKey, alg, use: "enc", kid: `${testOnly}${id}` }
    : undefined;
}
