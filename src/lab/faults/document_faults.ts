import { jsonOf, type WireResponse, withJson } from "../recording/exchange.ts";
import type { FaultKind } from "./fault.ts";
import { failureResponse } from "./http_faults.ts";
import { type FaultPlace, places } from "./places.ts";

/** The name of a fault in metadata, a key set, userinfo, introspection or registration. */
export type DocumentFaultName =
  | `metadata.${
    | "wrong_issuer"
    | "foreign_token_endpoint"
    | "without_pkce"
    | "not_found"
    | "wrong_content_type"}`
  | `jwks.${"empty" | "rotated"}`
  | `userinfo.${"without_sub" | "wrong_sub"}`
  | "introspect.inactive"
  | "register.refused";

/** The token endpoint of an honest server, which a hostile one names as its own. */
export const foreignTokenEndpoint = "https://honest.example/token";

/** The faults in metadata, key sets, userinfo, introspection and registration, by name. */
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
  "jwks.empty": bodyFault("jwks", "The key set is empty.", (body) => ({ ...body, keys: [] })),
  "jwks.rotated": {
    summary:
      "The signing key is rotated just before the tokens are issued, so the client has not fetched it yet.",
    appliesTo: places.token,
    respond: async ({ server }, proceed) => {
      const { context } = server;
      // A newer key signs from now on. The old one stays published.
      await context.keys.extend(context.settings.alg, () => context.now());
      return await proceed();
    },
  },
  "userinfo.without_sub": bodyFault(
    "userinfo",
    "The userinfo response has no sub.",
    (body) => omit(body, "sub"),
  ),
  "userinfo.wrong_sub": bodyFault(
    "userinfo",
    "The userinfo response is about a different user than the ID token.",
    (body) => ({ ...body, sub: "someone-else" }),
  ),
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

function isSuccessfulJson(response: WireResponse): boolean {
  const isSuccess = response.status < 300;
  return isSuccess && jsonOf(response) !== undefined;
}

function headersWithoutContentType({ headers }: WireResponse): WireResponse["headers"] {
  return headers.filter(([name]) => name.toLowerCase() !== "content-type");
}

function omit(body: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
}
