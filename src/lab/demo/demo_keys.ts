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

/** The private key of the demo issuer. It is public, so only a lab accepts it. */
export const demoIssuerKey: JWK = {
  kty: "EC",
  crv: "P-256",
  x: "aeAWNqfCT7CzthRf8GvY6ulolrmAyvrRa3-jM488g8o",
  y: "f5llVtvIDinasUiW_OLunhoTDFJV26wmSrP8bx_Uo5A",
  d: "CZx8VYtJNBanF_Hp2GJWwlPAC0iPbiB8mij8YXa1Srs",
  alg: "ES256",
  kid: "TEST-ONLY-demo-issuer",
};
