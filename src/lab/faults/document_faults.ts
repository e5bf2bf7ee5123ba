import { jsonOf, type WireResponse, withJson } from "../recording/exchange.ts";
import type { FaultKind } from "./fault.ts";
import { failureResponse } from "./http_faults.ts";
import { type FaultPlace, places } from "./places.ts";

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

/** The faults in metadata, introspection and registration, by name. */
export const documentFaults: Record<DocumentFaultName, FaultKind> = {
  "metadata.wrong_issuer": bodyFault(
    "metadata",
    "The metadata names a different issuer.",
    (body) => ({
      ...body,
      issuer: "https://attacker.example",
    }),
  ),
  "metadata.foreign_token_endpoint": bodyFault(
    "metadata",
    "The metadata names the token endpoint of another server, so that an assertion for that URL " +
      "could be used there (audience injection).",
    (body) => ({ ...body, token_endpoint: foreignTokenEndpoint }),
  ),
  "metadata.mtls_endpoint_aliases": bodyFault(
    "metadata",
    "The metadata names other endpoints for clients with mutual TLS, in mtls_endpoint_aliases.",
    (body) => ({ ...body, mtls_endpoint_aliases: mtlsAliases(body) }),
  ),
  "metadata.without_pkce": bodyFault(
    "metadata",
    "The metadata lists no PKCE methods.",
    (body) => omit(body, "code_challenge_methods_supported"),
  ),
  "metadata.not_found": {
    summary: "The metadata is missing: 404.",
    appliesTo: places.metadata,
    respond: async () => failureResponse(404, "not_found", "The metadata document was not found."),
  },
  "metadata.wrong_content_type": {
    summary: "The metadata has the content type text/html.",
    appliesTo: places.metadata,
    canChange: isSuccessfulJson,
    change: (response) => ({
      ...response,
      headers: [["Content-Type", "text/html"], ...headersWithoutContentType(response)],
    }),
  },
  "introspect.inactive": {
    summary: "Introspection reports the token as inactive.",
    appliesTo: places.introspect,
    canChange: isSuccessfulJson,
    change: (response) => withJson(response, () => ({ active: false })),
  },
  "register.refused": {
    summary: "Registration fails with invalid_client_metadata.",
    appliesTo: places.register,
    respond: async () =>
      failureResponse(400, "invalid_client_metadata", "This client cannot register here."),
  },
};

function bodyFault(
  place: FaultPlace,
  summary: string,
  change: (body: Record<string, unknown>) => Record<string, unknown>,
): FaultKind {
  return {
    summary,
    appliesTo: places[place],
    canChange: isSuccessfulJson,
    change: (response) => withJson(response, change),
  };
}

/** Returns the endpoints that clients with mutual TLS use (RFC 8705, section 5). */
function mtlsAliases(body: Record<string, unknown>): Record<string, string> {
  const names = ["token_endpoint", "userinfo_endpoint", "pushed_authorization_request_endpoint"];
  const named = names.filter((name) => typeof body[name] === "string");
  return Object.fromEntries(
    named.map((name) => [name, `${mtlsOrigin}${new URL(String(body[name])).pathname}`]),
  );
}

/** Whether a response succeeded, and has members. */
export function isSuccessfulJson(response: WireResponse): boolean {
  return response.status < 300 && jsonOf(response) !== undefined;
}

function headersWithoutContentType({ headers }: WireResponse): WireResponse["headers"] {
  return headers.filter(([name]) => name.toLowerCase() !== "content-type");
}

function omit(body: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
}
