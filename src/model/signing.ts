/** An algorithm that signs tokens: asymmetric, and never `none`. */
export type SigningAlgorithm = "RS256" | "ES256" | "PS256" | "EdDSA";

export const signingAlgorithms: readonly SigningAlgorithm[] = [
  "RS256",
  "ES256",
  "PS256",
  "EdDSA",
];

/** The algorithms with which clients may sign by a key of their own, where those are the server's: EdDSA has got a second name (RFC 9864). */
export function clientAlgorithms(algs: readonly SigningAlgorithm[]): string[] {
  return algs.flatMap((alg) => alg === "EdDSA" ? ["EdDSA", "Ed25519"] : [alg]);
}

/** The algorithms with which clients may sign by the secret that they share with the server (RFC 7518, section 3.2). */
export const secretAlgorithms: readonly string[] = ["HS256", "HS384", "HS512"];
