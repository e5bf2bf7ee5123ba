import { type Config, grantTypes, type TrustedIssuerConfig } from "../../../server/features.ts";
import { jwtBearerGrantType } from "../../../server/protocol/grant_types.ts";
import { demoIssuerKey } from "../../demo/demo_keys.ts";

/** Trusts the demo issuer, where its assertions can be redeemed. */
export function trustInDemoIssuer(config: Config): Config {
  const isRedeemed = (config.grantTypes ?? grantTypes).includes(jwtBearerGrantType);
  return isRedeemed ? { trustedIssuers: [demoIssuer()], ...config } : config;
}

/** Returns the external issuer whose assertions the demo service may present. */
export function demoIssuer(): TrustedIssuerConfig {
  const { d: _, ...publicKey } = demoIssuerKey;
  return {
    issuer: "https://issuer.example",
    jwks: { keys: [publicKey] },
    clients: ["demo-service"],
  };
}
