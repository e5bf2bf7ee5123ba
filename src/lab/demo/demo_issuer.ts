import type { JWK } from "jose";
import type { TrustedIssuerConfig } from "../../server/features.ts";

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

/** Returns the external issuer whose assertions the demo service may present. */
export function demoIssuer(): TrustedIssuerConfig {
  const { d: _, ...publicKey } = demoIssuerKey;
  return {
    issuer: "https://issuer.example",
    jwks: { keys: [publicKey] },
    clients: ["demo-service"],
  };
}
