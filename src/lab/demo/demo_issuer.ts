import type { JWK } from "jose";

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
