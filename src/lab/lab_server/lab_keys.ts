import { calculateJwkThumbprint, exportJWK, importSPKI, type JWK } from "jose";
import { profileOf } from "../../server/config/profiles/profiles.ts";
import { algOfJwk, type SigningKeyConfig } from "../../server/config/signing_key_config.ts";
import type { Config } from "../../server/features.ts";
import type { SigningAlgorithm } from "../../server/model/signing.ts";
import { isPrivateKey } from "../../server/protocol/client_key.ts";
import { type PemKey, readPemKey } from "../../server/util/bytes/pem.ts";
import { once } from "../../server/util/time/promises.ts";
import { LabError } from "../util/lab_error.ts";

/** What `signingKeys` means for the server of a lab. */
export interface LabKeys {
  signingKeys: SigningKeyConfig[];
  /** Returns the keys that are published and never sign; undefined if there are none. */
  publishedKeys: (() => Promise<JWK[]>) | undefined;
  /** What the lab signs with, RS256 first; empty if no key is configured. */
  algs: SigningAlgorithm[];
}

/**
 * Divides configured keys into those that sign and those that are only published. A server refuses
 * the latter, because a public key among its own is a mistake.
 *
 * @throws {LabError} A public key in PEM is of an unknown type.
 */
export function labKeysOf({ signingKeys: keys = [], profile }: Config): LabKeys {
  const rsa: SigningAlgorithm = profileOf(profile).algs.includes("RS256") ? "RS256" : "PS256";
  const published = keys.flatMap((key, at) => publishedKeyOf(key, at, rsa) ?? []);
  const signingKeys = keys.filter((key) => !isPublic(key));
  const arePublic = keys.length > 0 && signingKeys.length === 0;
  // Public keys sign nothing: the lab makes one key besides them, and none for other algorithms.
  const algs = arePublic ? [rsa] : signingKeys.flatMap((key) => algOf(key, rsa) ?? []);
  return {
    signingKeys,
    publishedKeys: published.length === 0
      ? undefined
      : once(() => Promise.all(published.map((read) => read()))),
    algs: [...new Set([...algs.filter((alg) => alg === "RS256"), ...algs])],
  };
}

function isPublic({ jwk, pem }: SigningKeyConfig): boolean {
  if (jwk && pem !== undefined) return false;
  if (jwk) return jwk.kty !== "oct" && !isPrivateKey(jwk);
  return pem !== undefined && readPemKey(pem)?.label.endsWith("PUBLIC KEY") === true;
}

function algOf({ jwk, pem, alg }: SigningKeyConfig, rsa: SigningAlgorithm) {
  if (alg !== undefined) return alg;
  return jwk ? algOfJwk(jwk) : algOfPem(readPemKey(pem ?? ""), rsa);
}

function algOfPem(key: PemKey | undefined, rsa: SigningAlgorithm): SigningAlgorithm | undefined {
  switch (key?.type) {
    case "RSA":
      return rsa;
    case "P-256":
      return "ES256";
    case "Ed25519":
      return "EdDSA";
    default:
      return undefined;
  }
}

/** Returns what reads a key that is only published, or undefined for any other key. */
function publishedKeyOf(
  key: SigningKeyConfig,
  at: number,
  rsa: SigningAlgorithm,
): (() => Promise<JWK>) | undefined {
  if (!isPublic(key)) return undefined;
  const { jwk, kid, alg } = key;
  // Published as it is: a client under test may have to ignore it.
  if (jwk) return async () => ({ ...jwk, ...await kidMember(jwk, kid), ...alg && { alg } });
  const pemKey = readPemKey(key.pem ?? "");
  const algorithm = alg ?? algOfPem(pemKey, rsa);
  if (!pemKey || algorithm === undefined) {
    throw new LabError(
      `signingKeys[${at}]: its PEM holds no public key for RSA, P-256 or Ed25519.`,
    );
  }
  return async () => {
    const members = await exportJWK(await importSPKI(pemKey.pem, algorithm, { extractable: true }));
    return {
      ...members,
      kid: kid ?? await calculateJwkThumbprint(members),
      alg: algorithm,
      use: "sig",
    };
  };
}

/** A key of an unknown type has no thumbprint, and is published without a `kid`. */
async function kidMember(jwk: JWK, configured: string | undefined): Promise<JWK> {
  const kid = configured ?? jwk.kid ?? await calculateJwkThumbprint(jwk).catch(() => undefined);
  return kid === undefined ? {} : { kid };
}
