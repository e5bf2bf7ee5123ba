import { calculateJwkThumbprint, exportJWK, importPKCS8, type JWK } from "jose";
import { algOfJwk, type SigningKeyConfig } from "../../config/signing_key_config.ts";
import type { SigningAlgorithm } from "../../model/signing.ts";
import { readPemKey } from "../../util/bytes/pem.ts";
import { messageOf } from "../../util/text/error_message.ts";
import { importSigningKey, type SigningKey } from "./signing_key.ts";

/** What a PEM that names no algorithm may hold, with its algorithm. */
const pemAlgorithms: readonly SigningAlgorithm[] = ["ES256", "EdDSA"];

/** Loads a key of the configuration. Throws an error that names its place there. */
export async function loadConfiguredKey(
  config: SigningKeyConfig,
  at: number,
  rsa: SigningAlgorithm,
): Promise<SigningKey> {
  try {
    const { alg, ...jwk } = await readJwk(config, rsa);
    const kid = config.kid ?? jwk.kid ?? await calculateJwkThumbprint(jwk);
    const { key_ops: _operations, ext: _extractable, ...members } = jwk;
    const text = JSON.stringify({ ...members, kid, alg, use: "sig" });
    const key = await importSigningKey(kid, alg, text);
    await Promise.all([key.privateKey(), key.publicKey()]);
    return key;
  } catch (cause) {
    throw new Error(`Cannot use signingKeys[${at}]: ${messageOf(cause)}`, { cause });
  }
}

async function readJwk(
  { jwk, pem = "", alg }: SigningKeyConfig,
  rsa: SigningAlgorithm,
): Promise<JWK & { alg: SigningAlgorithm }> {
  if (jwk) return { ...jwk, alg: alg ?? algOfJwk(jwk) ?? rsa };
  const { pem: pkcs8 = "" } = readPemKey(pem) ?? {};
  for (const each of alg ? [alg] : [rsa, ...pemAlgorithms]) {
    const key = await importPKCS8(pkcs8, each, { extractable: true }).catch(() => undefined);
    if (!key) continue;
    const read = await exportJWK(key);
    // A key of 2048 bits has 342 characters of base64url.
    if (read.kty === "RSA" && String(read.n).length < 342) throw new Error("it has too few bits");
    return { ...read, alg: each };
  }
  throw new Error(`its PEM holds no private key for ${alg ?? [rsa, ...pemAlgorithms].join(", ")}`);
}
