import type { Client } from "../../server/model/client.ts";
import { hasDemoKey } from "./signed_proofs.ts";

/** What the client of a flow may do, and must. */
export interface ClientAbilities {
  id: string;
  /** The scopes that it may ask for. */
  scopes: readonly string[];
  requiresPar: boolean;
  requiresJar: boolean;
  requiresDpop: boolean;
  /** Whether the lab can sign requests in its place. */
  canSign: boolean;
  /** Whether one of its redirect URIs leads to the lab itself. */
  hasLabRedirect: boolean;
}

/** Returns the abilities of a client. */
export function abilitiesOf(client: Client, hasLabRedirect: boolean): ClientAbilities {
  return {
    id: client.id,
    scopes: client.scopes,
    requiresPar: client.requirePar,
    requiresJar: client.requireSignedRequest,
    requiresDpop: client.dpop === "required",
    canSign: hasDemoKey(client),
    hasLabRedirect,
  };
}
