/** The algorithms that sign tokens here. `none` and the symmetric ones are not among them. */
export const signingAlgorithms = ["RS256", "ES256", "PS256", "EdDSA"] as const;

export type SigningAlgorithm = (typeof signingAlgorithms)[number];
