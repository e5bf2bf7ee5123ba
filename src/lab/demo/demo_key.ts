import type { JWK } from "jose";

/** The key of demo-jwt, for trying private_key_jwt. Everybody has it: it is worth nothing, and its `kid` says so. */
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

/** What a client's configuration holds of it. */
export const demoPublicKey: JWK = publicPart;
