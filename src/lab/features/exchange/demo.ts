import type { ClientConfig } from "../../../server/features.ts";
import { tokenExchangeGrantType } from "../../../server/protocol/grant_types.ts";

/** Lets the demo service exchange tokens for those of an API, where it may use the grant. */
export function exchangesOfService(grantTypes: readonly string[]): Partial<ClientConfig> {
  if (!grantTypes.includes(tokenExchangeGrantType)) return {};
  const audiences = ["https://api.example"];
  return { tokenExchange: { audiences, impersonation: true, delegation: true } };
}
