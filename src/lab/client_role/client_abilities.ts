import type { Client } from "../../server/model/client.ts";
import { type EndpointSource, findMetadata } from "../dialect/lab_endpoints.ts";
import { hasDemoKey } from "./signed_proofs.ts";

/** A way to protect the request, the response or the tokens of a flow. */
export type Protection = "par" | "jar" | "jarm" | "dpop";

/** The members of metadata that announce each. */
const members: Readonly<Record<Protection, string>> = {
  par: "pushed_authorization_request_endpoint",
  jar: "request_object_signing_alg_values_supported",
  jarm: "authorization_signing_alg_values_supported",
  dpop: "dpop_signing_alg_values_supported",
};

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
}

export function abilitiesOf(client: Client): ClientAbilities {
  return {
    id: client.id,
    scopes: client.scopes,
    requiresPar: client.requirePar,
    requiresJar: client.requireSignedRequest,
    requiresDpop: client.dpop === "required",
    canSign: hasDemoKey(client),
  };
}

/** Returns what the metadata of a lab, or of the provider that it plays, announces. */
export function offeredProtection(source: EndpointSource): ReadonlySet<Protection> {
  const metadata = findMetadata(source) ?? {};
  const names = Object.keys(members) as Protection[];
  return new Set(names.filter((name) => metadata[members[name]] !== undefined));
}
