import { importJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import { clientAlgorithms, signingAlgorithms } from "../model/signing.ts";
import { clientAssertionType } from "../protocol/client_assertion.ts";
import { isPrivateKey, keyFitsAlgorithm } from "../protocol/client_key.ts";

/** A private key with which an API authenticates (`private_key_jwt`). */
export interface ClientPrivateKey {
  /** A JWK, or a key that the platform holds and does not give away. */
  privateKey: JWK | CryptoKey;
  /** Tells the server which of the client's keys this is. Default: the `kid` of the JWK. */
  kid?: string;
  /** What it signs with. Default: the `alg` of the JWK, or the only one that fits the key. */
  alg?: string;
}

/** The form fields by which a client authenticates. */
export type CreateAssertion = () => Promise<Record<string, string>>;

/** Who proves to be which client, to whom. */
export interface AssertionContent {
  clientId: string;
  issuer: string;
  /** In milliseconds. */
  now: () => number;
}

const algorithms = clientAlgorithms(signingAlgorithms);
/** How long an assertion can be used, in seconds. */
const lifetime = 60;

/**
 * Gets ready to authenticate with a key (RFC 7523, section 2.2). Each assertion is used once; it names
 * the issuer alone, so that no other server can pass it on.
 */
export function createAssertionFactory(
  given: ClientPrivateKey,
  { clientId, issuer, now }: AssertionContent,
): CreateAssertion {
  const alg = algorithmOf(given);
  const header = { alg, kid: given.kid ?? kidOf(given.privateKey) };
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
    key ??= importKey(given.privateKey, alg);
    const client_assertion = await new SignJWT(claims).setProtectedHeader(header).sign(await key);
    return { client_assertion_type: clientAssertionType, client_assertion };
  };
}

async function importKey(key: JWK | CryptoKey, alg: string): Promise<CryptoKey | Uint8Array> {
  return isCryptoKey(key) ? key : await importJWK(key, alg);
}

/** The algorithm that was named, if the key can sign with it; otherwise the only one that it fits. */
function algorithmOf({ privateKey, alg }: ClientPrivateKey): string {
  const fitting = isCryptoKey(privateKey)
    ? [algorithmOfCryptoKey(privateKey)]
    : algorithmsOfJwk(privateKey);
  const named = alg ?? (isCryptoKey(privateKey) ? undefined : privateKey.alg);
  if (named !== undefined && !fitting.includes(named)) {
    throw new TypeError(
      `The 'privateKey' cannot sign with '${named}', only with: ${fitting.join(", ")}.`,
    );
  }
  if (named === undefined && fitting.includes("RS256") && fitting.length > 1) {
    throw new TypeError(`The 'privateKey' needs an 'alg', one of: ${fitting.join(", ")}.`);
  }
  return named ?? fitting[0];
}

function algorithmsOfJwk(key: JWK): string[] {
  if (typeof key !== "object" || key === null || !isPrivateKey(key)) {
    throw new TypeError("The 'privateKey' is not a private key, as a JWK or a CryptoKey.");
  }
  const fitting = algorithms.filter((alg) => keyFitsAlgorithm(key, alg));
  if (fitting.length > 0) return fitting;
  throw new TypeError("The 'privateKey' is neither an RSA key nor a key on P-256 or Ed25519.");
}

/** Such a key knows its algorithm by itself. */
const nameOfAlgorithm: Readonly<Record<string, string>> = {
  "ECDSA P-256": "ES256",
  "RSA-PSS SHA-256": "PS256",
  "RSASSA-PKCS1-v1_5 SHA-256": "RS256",
  "Ed25519": "EdDSA",
};

function algorithmOfCryptoKey({ type, usages, algorithm }: CryptoKey): string {
  if (type !== "private" || !usages.includes("sign")) {
    throw new TypeError("The 'privateKey' is a CryptoKey that cannot sign.");
  }
  const { name, namedCurve, hash } = algorithm as {
    name: string;
    namedCurve?: string;
    hash?: { name: string };
  };
  const alg = nameOfAlgorithm[[name, namedCurve ?? hash?.name].filter(Boolean).join(" ")];
  if (alg !== undefined) return alg;
  throw new TypeError(`The 'privateKey' is a CryptoKey for ${name}, which signs no assertion.`);
}

function kidOf(key: JWK | CryptoKey): string | undefined {
  return isCryptoKey(key) ? undefined : key.kid;
}

function isCryptoKey(key: JWK | CryptoKey): key is CryptoKey {
  return key instanceof CryptoKey;
}
