import type { WireResponse } from "../../recording/exchange.ts";
import { jsonAt, type JsonMembers, signedUserinfo, userClaims } from "../../responses/part.ts";
import { places } from "../../responses/places.ts";
import type { FaultKind } from "./fault.ts";
import { changing, failing, forging, withoutMember } from "./fault_kinds.ts";
import {
  aggregatedClaims,
  commonForgeries,
  distributedClaims,
  wrongUserIn,
} from "./jwt_forgery.ts";

/** What can be wrong with a userinfo response only if it is signed. */
export type UserinfoForgery = "wrong_iss" | "wrong_aud" | "alg_none" | "foreign_signature";

/** The name of a fault in userinfo. */
export type UserinfoFaultName = `userinfo.${
  | "without_sub"
  | "wrong_sub"
  | "aggregated_claims"
  | "distributed_claims"
  | UserinfoForgery}`;

/** The name of a fault in metadata, introspection or registration. */
export type DocumentFaultName =
  | `metadata.${
    | "wrong_issuer"
    | "foreign_token_endpoint"
    | "mtls_endpoint_aliases"
    | "without_pkce"
    | "not_found"
    | "wrong_content_type"}`
  | "introspect.inactive"
  | "register.refused";

/** The token endpoint of an honest server, which a hostile one names as its own. */
export const foreignTokenEndpoint = "https://honest.example/token";

/** The origin of endpoints for clients with mutual TLS, which others cannot reach. */
const mtlsOrigin = "https://mtls.hallpass.example";

/** The endpoints that clients with mutual TLS use (RFC 8705, section 5). */
const mtlsEndpoints = [
  "token_endpoint",
  "userinfo_endpoint",
  "pushed_authorization_request_endpoint",
];

const metadata = jsonAt(places.metadata);
const { wrong_iss, wrong_aud, alg_none, foreign_signature } = commonForgeries;

/** The faults in userinfo, metadata, introspection and registration, by name. */
export const documentFaults: Record<UserinfoFaultName | DocumentFaultName, FaultKind> = {
  "userinfo.without_sub": changing(
    userClaims,
    "The userinfo response has no sub, and the name of a different user.",
    ({ sub: _, ...claims }) => ({ ...claims, ...wrongUserIn(claims) }),
  ),
  "userinfo.wrong_sub": changing(
    userClaims,
    "The userinfo response is about a different user than the ID token.",
    (claims) => ({ ...claims, ...wrongUserIn(claims), sub: "someone-else" }),
  ),
  "userinfo.aggregated_claims": changing(
    userClaims,
    "The userinfo response has a claim that another issuer signed, in _claim_names and " +
      "_claim_sources.",
    async (claims) => ({ ...claims, ...await aggregatedClaims(claims.sub) }),
  ),
  "userinfo.distributed_claims": changing(
    userClaims,
    "The userinfo response names a claim that has to be fetched from another server.",
    (claims) => ({ ...claims, ...distributedClaims() }),
  ),
  ...forging("userinfo", signedUserinfo, "signed userinfo response", {
    wrong_iss,
    wrong_aud,
    alg_none,
    foreign_signature,
  }),
  "metadata.wrong_issuer": changing(
    metadata,
    "The metadata names a different issuer.",
    (body) => ({ ...body, issuer: "https://attacker.example" }),
  ),
  "metadata.foreign_token_endpoint": changing(
    metadata,
    "The metadata names the token endpoint of another server, which could use the client's " +
      "assertion (audience injection).",
    (body) => ({ ...body, token_endpoint: foreignTokenEndpoint }),
  ),
  "metadata.mtls_endpoint_aliases": changing(
    metadata,
    "The metadata names other endpoints for clients with mutual TLS, in mtls_endpoint_aliases.",
    (body) => ({ ...body, mtls_endpoint_aliases: mtlsAliases(body) }),
  ),
  "metadata.without_pkce": changing(
    metadata,
    "The metadata lists no PKCE methods.",
    withoutMember("code_challenge_methods_supported"),
  ),
  "metadata.not_found": failing(
    places.metadata,
    "The metadata is missing: 404.",
    404,
    "not_found",
    "The metadata document was not found.",
  ),
  "metadata.wrong_content_type": {
    ...changing(metadata, "The metadata has the content type text/html.", (body) => body),
    change: (response) => ({
      ...response,
      headers: [["Content-Type", "text/html"], ...headersWithoutContentType(response)],
    }),
  },
  "introspect.inactive": changing(
    jsonAt(places.introspect),
    "Introspection reports the token as inactive.",
    () => ({ active: false }),
  ),
  "register.refused": failing(
    places.register,
    "Registration fails with invalid_client_metadata.",
    400,
    "invalid_client_metadata",
    "This client cannot register here.",
  ),
};

function mtlsAliases(body: JsonMembers): Record<string, string> {
  const named = mtlsEndpoints.filter((name) => typeof body[name] === "string");
  return Object.fromEntries(
    named.map((name) => [name, `${mtlsOrigin}${new URL(String(body[name])).pathname}`]),
  );
}

function headersWithoutContentType({ headers }: WireResponse): WireResponse["headers"] {
  return headers.filter(([name]) => name.toLowerCase() !== "content-type");
}
