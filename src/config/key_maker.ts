import { exportJWK, generateKeyPair, type JWK } from "jose";
import type { SigningAlgorithm } from "../model/signing.ts";

/** Makes a signing key as a private JWK. The first one of an algorithm is of generation 0, its successor of 1. */
export type KeyMaker = (alg: SigningAlgorithm, kid: string, generation: number) => Promise<JWK>;

/** A fresh key. RSA takes a quarter of a second at worst, the others next to nothing. */
export const makeKey: KeyMaker = async (alg, kid) => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...await exportJWK(privateKey), alg, use: "sig", kid };
};
