/** The algorithms that sign tokens here. `none` and the symmetric ones are not among them. */
export const signingAlgorithms = ["RS256", "ES256", "PS256", "EdDSA"] as const;

export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** The algorithms with which clients may sign by a key of their own, where those are the server's: EdDSA has got a second name (RFC 9864). */
export function clientAlgorithms(algs: readonly SigningAlgorithm[]): string[] {
  return algs.flatMap((alg) => alg === "EdDSA" ? ["EdDSA", "Ed25519"] : [alg]);
}

/** The algorithms with which clients may sign by the secret that they share with the server (RFC 7518, section 3.2). */
export const secretAlgorithms: readonly string[] = ["HS256", "HS384", "HS512"];
