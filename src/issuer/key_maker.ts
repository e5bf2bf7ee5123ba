import type { JWK } from "jose";
import { exportJWK, generateKeyPair } from "jose";
import type { SigningAlgorithm } from "../protocol/signing.ts";
import { randomId } from "./random.ts";

/** Makes a signing key as a private JWK that carries its `kid`. */
export type KeyMaker = (alg: SigningAlgorithm) => Promise<JWK>;

/** A fresh key. RSA takes a quarter of a second at worst, the others none. */
export const makeKey: KeyMaker = async (alg) => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...await exportJWK(privateKey), alg, use: "sig", kid: randomId() };
};
