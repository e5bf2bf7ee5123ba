import type { ClientConfig } from "../../../server/features.ts";
import { tokenExchangeGrantType } from "../../../server/protocol/grant_types.ts";

/** Lets the demo service exchange tokens for those of an API, where it may use the grant. */
export function exchangesOfService(grantTypes: readonly string[]): Partial<ClientConfig> {
  if (!grantTypes.includes(tokenExchangeGrantType)) return {};
  const audiences = ["https://api.example"];
  return { tokenExchange: { audiences, impersonation: true, delegation: true } };
}

/** Lets a client get ID-JAGs for one other server, each for a user of a list. */
export function idJagsFor(
  target: NonNullable<ClientConfig["idJag"]>[number],
): Partial<ClientConfig> {
  return { idJag: [target] };
}

/** Returns the scopes of these ID-JAGs, by user. */
export function idJagScopes({ idJag = [] }: ClientConfig): Readonly<Record<string, string[]>> {
  return idJag[0]?.users ?? {};
}
