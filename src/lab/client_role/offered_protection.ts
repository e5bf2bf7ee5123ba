import { type EndpointSource, findMetadata } from "../dialect/lab_endpoints.ts";

/** A way to protect the request, the response or the tokens of a flow. */
export type Protection = "par" | "jar" | "jarm" | "dpop";

/** The members of metadata that announce each. */
const members: Readonly<Record<Protection, string>> = {
  par: "pushed_authorization_request_endpoint",
  jar: "request_object_signing_alg_values_supported",
  jarm: "authorization_signing_alg_values_supported",
  dpop: "dpop_signing_alg_values_supported",
};

/** Returns what the metadata of a lab, or of the provider that it plays, announces. */
export function offeredProtection(source: EndpointSource): ReadonlySet<Protection> {
  const metadata = findMetadata(source) ?? {};
  const names = Object.keys(members) as Protection[];
  return new Set(names.filter((name) => metadata[members[name]] !== undefined));
}
