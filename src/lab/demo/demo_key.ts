import type { JWK } from "jose";

/** The key of demo-jwt, for trying private_key_jwt. It is public, as its `kid` warns. */
export const demoKey: JWK = {
  kty: "EC",
  crv: "P-256",
  x: "QhguBF6z6pNFEmpWQCRR3PCnGThrBHhqyc8OD2WFlaY",
  y: "jiUaVmFW05oUvYHxIBbaCLPx7PBLa10nXzCsY-SfxZg",
  d: "aUMwEWbfIO9pJ110j4MIgXogs_KP2RAZNYcmnAEo9kg",
  kid: "TEST-ONLY-demo-jwt",
  alg: "ES256",
};

const { d: _private, ...publicPart } = demoKey;

/** The public part, for the configuration of clients. */
export const demoPublicKey: JWK = publicPart;
