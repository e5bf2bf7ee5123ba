export type {
  AssertionConfig,
  TrustedIssuer as TrustedIssuerConfig,
  WorkloadIssuer as WorkloadIssuerConfig,
  WorkloadRule as WorkloadRuleConfig,
} from "./config.ts";
