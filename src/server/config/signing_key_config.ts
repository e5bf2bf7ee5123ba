import type { JWK } from "jose";
import { type SigningAlgorithm, signingAlgorithms } from "../model/signing.ts";
import { readPemKey } from "../util/bytes/pem.ts";
import { type Duration, parseDuration } from "../util/time/duration.ts";
import { reportDuplicates, type ReportProblem } from "./problems.ts";

/** RSA keys have at least 2048 bits (RFC 7518, section 3.3): 342 characters of base64url. */
const minModulusLength = 342;

/** What WebCrypto needs of a private RSA key, in addition to `d` (RFC 7518, section 6.3.2). */
const rsaMembers = ["p", "q", "dp", "dq", "qi"] as const;

const privateLabels: readonly string[] = ["PRIVATE KEY", "RSA PRIVATE KEY"];

const publicKeysInTests = "only a server for tests may publish a key that never signs";

/** Your own signing key: `jwk` or `pem`. In tests, it may be a public key. */
export interface SigningKeyConfig {
  /** A private key as a JSON Web Key. */
  jwk?: JWK;
  /** A private key as PEM: PKCS #8 (`-----BEGIN PRIVATE KEY-----`), PKCS #1, or SEC 1 for P-256. */
  pem?: string;
  /**
   * The identifier of the key (`kid`).
   *
   * @default the `kid` of the `jwk`, otherwise the key's thumbprint (RFC 7638)
   */
  kid?: string;
  /**
   * What the key signs with.
   *
   * @default the `alg` of the `jwk`, otherwise what fits the key; `RS256` for RSA
   */
  alg?: SigningAlgorithm;
}

/** When signing keys change, in milliseconds. */
export interface KeyRotation {
  /** How long a key signs. Undefined if it signs forever. */
  every?: number | undefined;
  /** How long a key is published before it signs. */
  overlap: number;
}

/** Returns the algorithm of a JWK: its own, or what fits its type. */
export function algOfJwk({ kty, crv, alg }: JWK): SigningAlgorithm | undefined {
  if (alg !== undefined) return signingAlgorithms.find((each) => each === alg);
  if (kty === "RSA") return "RS256";
  return ({ "P-256": "ES256", "Ed25519": "EdDSA" } as const)[crv ?? ""];
}

/** Reports keys that cannot sign. Whether a PEM holds a key, the start of the server shows. */
export function checkSigningKeys(
  keys: readonly SigningKeyConfig[],
  { algs, name }: { name: string; algs: readonly SigningAlgorithm[] },
  report: ReportProblem,
): void {
  for (const [at, key] of keys.entries()) {
    const path = `signingKeys[${at}]`;
    const problem = keyProblem(key);
    if (problem) report(path, problem);
    const alg = key.alg ?? (key.jwk && algOfJwk(key.jwk));
    if (alg && !algs.includes(alg)) {
      report(path, `signs with ${alg}; the profile ${name} allows ${algs.join(", ")}`);
    }
  }
  reportDuplicates(report, "the 'kid' of signingKeys", keys.flatMap(kidOf));
}

/** Returns when signing keys change. */
export function rotationOf(keyRotation: Duration | "never", keyOverlap: Duration): KeyRotation {
  const every = keyRotation === "never" ? undefined : toMilliseconds(keyRotation);
  return { every, overlap: toMilliseconds(keyOverlap) ?? 0 };
}

/** Reports a rotation that makes a successor due before its predecessor signs. */
export function checkRotation({ every, overlap }: KeyRotation, report: ReportProblem): void {
  if (every !== undefined && every <= overlap) {
    report(
      "keyRotation",
      "must be longer than keyOverlap, for which a key is published before it signs",
    );
  }
}

function keyProblem({ jwk, pem, alg }: SigningKeyConfig): string | undefined {
  if ((jwk === undefined) === (pem === undefined)) return "must have either jwk or pem";
  if (pem !== undefined) return pemProblem(pem);
  return jwk && jwkProblem(jwk, alg);
}

function pemProblem(pem: string): string | undefined {
  const { label = "", type } = readPemKey(pem) ?? {};
  const isKnownCurve = label === "EC PRIVATE KEY" && type === "P-256";
  if (privateLabels.includes(label) || isKnownCurve) return undefined;
  if (label.endsWith("PUBLIC KEY")) return `must be a private key: ${publicKeysInTests}`;
  return "must be PEM that begins with -----BEGIN PRIVATE KEY-----, or the same with RSA or EC " +
    "before PRIVATE, and is not encrypted; convert a key with: openssl pkcs8 -topk8 -nocrypt";
}

function jwkProblem(jwk: JWK, alg: SigningAlgorithm | undefined): string | undefined {
  if (typeof jwk.d !== "string") {
    return `must be a private key: its jwk has no 'd'; ${publicKeysInTests}`;
  }
  const own = algOfJwk(jwk);
  if (!own) return `must be for one of: ${signingAlgorithms.join(", ")}`;
  if (jwk.kty === "RSA" && String(jwk.n).length < minModulusLength) {
    return "must have at least 2048 bits (RFC 7518, section 3.3)";
  }
  const { alg: _, ...untyped } = jwk;
  const fitting = jwk.kty === "RSA" ? ["RS256", "PS256"] : [algOfJwk(untyped)];
  const wanted = alg ?? own;
  if (!fitting.includes(wanted)) return `cannot sign with ${wanted}`;
  const missing = jwk.kty === "RSA" ? rsaMembers.filter((name) => !jwk[name]) : [];
  if (missing.length === 0) return undefined;
  return `must have ${missing.join(", ")} in its jwk; the same key as PEM needs no change`;
}

function kidOf({ kid, jwk }: SigningKeyConfig): string[] {
  const id = kid ?? jwk?.kid;
  return id === undefined ? [] : [id];
}

function toMilliseconds(duration: Duration): number | undefined {
  const seconds = parseDuration(duration);
  return seconds === undefined ? undefined : seconds * 1000;
}
