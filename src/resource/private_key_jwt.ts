import { importJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import { clientAlgorithms, signingAlgorithms } from "../server/model/signing.ts";
import { clientAssertionType } from "../server/protocol/client_assertion.ts";
import { isPrivateKey, keyFitsAlgorithm } from "../server/protocol/client_key.ts";
import { minute } from "../server/util/time/duration.ts";

const algorithms = clientAlgorithms(signingAlgorithms);

/** How long an assertion can be used, in seconds. */
const lifetime = 1 * minute;

/** The algorithms of CryptoKeys, by their name and their curve or hash. */
const cryptoKeyAlgorithms: Readonly<Record<string, string>> = {
  "ECDSA P-256": "ES256",
  "RSA-PSS SHA-256": "PS256",
  "RSASSA-PKCS1-v1_5 SHA-256": "RS256",
  "Ed25519": "EdDSA",
};

/** A `CryptoKey` of the Web Crypto API, for projects whose `lib` does not declare that type. */
export interface WebCryptoKey {
  /** The algorithm that the key is for. */
  readonly algorithm: { readonly name: string };
  /** Whether the key can be exported. */
  readonly extractable: boolean;
  /** Public, private or secret. */
  readonly type: string;
  /** What the key may be used for. */
  readonly usages: readonly string[];
}

/** A private key with which an API authenticates (`private_key_jwt`). */
export interface ClientPrivateKey {
  /** A JWK, or a CryptoKey, which may be non-extractable. */
  privateKey: JWK | WebCryptoKey;
  /**
   * The id of the key among the client's keys.
   *
   * @default the `kid` of the JWK
   */
  kid?: string | undefined;
  /**
   * The signature algorithm.
   *
   * @default the `alg` of the JWK, or the only one that fits the key
   */
  alg?: string | undefined;
}

/**
 * Prepares client authentication with a key (RFC 7523, section 2.2). Each assertion is new, and
 * names the issuer as its only audience, so that no other server can replay it.
 */
export function createAssertionFactory(
  config: ClientPrivateKey,
  { clientId, issuer, now }: {
    clientId: string;
    issuer: string;
    /** In milliseconds. */
    now: () => number;
  },
): () => Promise<Record<string, string>> {
  const { privateKey } = config;
  const alg = algorithmOf(config);
  // A CryptoKey has no `kid`.
  const kid = config.kid ?? (privateKey as Partial<JWK>).kid;
  const header = { alg, ...kid !== undefined && { kid } };
  let key: Promise<CryptoKey | Uint8Array> | undefined;
  return async () => {
    const iat = Math.floor(now() / 1000);
    const claims: JWTPayload = {
      iss: clientId,
      sub: clientId,
      aud: issuer,
      jti: crypto.randomUUID(),
      iat,
      exp: iat + lifetime,
    };
    key ??= importKey(privateKey, alg);
    const client_assertion = await new SignJWT(claims).setProtectedHeader(header).sign(await key);
    return { client_assertion_type: clientAssertionType, client_assertion };
  };
}

async function importKey(
  key: JWK | WebCryptoKey,
  alg: string,
): Promise<CryptoKey | Uint8Array> {
  // Only saves time: the library would import a JWK again for each signature.
  return isCryptoKey(key) ? key as CryptoKey : await importJWK(key, alg);
}

/**
 * Returns the configured algorithm if the key can sign with it, or the only one that fits the key.
 */
function algorithmOf({ privateKey, alg }: ClientPrivateKey): string {
  if (isCryptoKey(privateKey)) return chooseAlgorithm([algorithmOfCryptoKey(privateKey)], alg);
  return chooseAlgorithm(algorithmsOfJwk(privateKey), alg ?? privateKey.alg);
}

function chooseAlgorithm(fitting: readonly string[], alg: string | undefined): string {
  const list = fitting.join(", ");
  if (alg !== undefined) {
    if (fitting.includes(alg)) return alg;
    throw new TypeError(`The 'privateKey' cannot sign with '${alg}', only with: ${list}.`);
  }
  const [first, ...others] = fitting;
  // An RSA key fits RS256 and PS256. The two names of EdDSA mean the same.
  if (first === undefined || (fitting.includes("RS256") && others.length > 0)) {
    throw new TypeError(`The 'privateKey' needs an 'alg', one of: ${list}.`);
  }
  return first;
}

function algorithmsOfJwk(key: JWK): string[] {
  if (typeof key !== "object" || key === null || !isPrivateKey(key)) {
    throw new TypeError("The 'privateKey' is not a private key, as a JWK or a CryptoKey.");
  }
  const fitting = algorithms.filter((alg) => keyFitsAlgorithm(key, alg));
  if (fitting.length > 0) return fitting;
  throw new TypeError("The 'privateKey' is neither an RSA key nor a key on P-256 or Ed25519.");
}

function algorithmOfCryptoKey({ type, usages, algorithm }: WebCryptoKey): string {
  if (type !== "private" || !usages.includes("sign")) {
    throw new TypeError("The 'privateKey' is a CryptoKey that cannot sign.");
  }
  const { name, namedCurve, hash } = algorithm as {
    name: string;
    namedCurve?: string;
    hash?: { name: string };
  };
  const alg = cryptoKeyAlgorithms[[name, namedCurve ?? hash?.name].filter(Boolean).join(" ")];
  if (alg !== undefined) return alg;
  throw new TypeError(`The 'privateKey' is a CryptoKey for ${name}, which is not supported.`);
}

function isCryptoKey(key: JWK | WebCryptoKey): key is WebCryptoKey {
  return key instanceof CryptoKey;
}
