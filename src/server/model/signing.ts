/** An algorithm that signs tokens: asymmetric, and never `none`. */
export type SigningAlgorithm = "RS256" | "ES256" | "PS256" | "EdDSA";

/** An algorithm that signs the ID tokens of one client: also an HMAC with its secret. */
export type IdTokenAlgorithm = "RS256" | "ES256" | "PS256" | "EdDSA" | "HS256";

/** An algorithm of the keys with which server and clients encrypt. Such a key signs nothing. */
export type DecryptionAlgorithm =
  | "RSA-OAEP"
  | "RSA-OAEP-256"
  | "RSA-OAEP-384"
  | "RSA-OAEP-512"
  | "ECDH-ES"
  | "ECDH-ES+A128KW"
  | "ECDH-ES+A192KW"
  | "ECDH-ES+A256KW";

export type KeyAlgorithm = SigningAlgorithm | DecryptionAlgorithm;

export const signingAlgorithms: readonly SigningAlgorithm[] = ["RS256", "ES256", "PS256", "EdDSA"];

/** The start of the `kid` of every key that tests use, and that is therefore public. */
export const testOnly = "TEST-ONLY-";

/**
 * Returns the algorithms with which clients may sign when the server may sign with the given ones:
 * EdDSA has a second name (RFC 9864).
 */
export function clientAlgorithms(algs: readonly SigningAlgorithm[]): string[] {
  return algs.flatMap((alg) => alg === "EdDSA" ? ["EdDSA", "Ed25519"] : [alg]);
}

/** The algorithms for a secret that a client shares with the server (RFC 7518, section 3.2). */
export const secretAlgorithms: readonly string[] = ["HS256", "HS384", "HS512"];
