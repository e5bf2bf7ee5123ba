import { jsonOf, type WireResponse } from "../recording/exchange.ts";
import type { FaultKind } from "./fault.ts";
import { failure } from "./http_faults.ts";
import { type FaultPlace, places } from "./places.ts";
import { withJson } from "./token_faults.ts";

/** A fault of a document that a client reads: metadata, keys, introspection, registration. */
export type DocumentFault =
  | `metadata.${"wrong_issuer" | "without_pkce" | "not_found" | "wrong_content_type"}`
  | `jwks.${"empty" | "rotated"}`
  | "introspect.inactive"
  | "register.refused";

/** What can be wrong with metadata, keys, introspection and registration. */
export const documentFaults: Record<DocumentFault, FaultKind> = {
  "metadata.wrong_issuer": changed(
    "metadata",
    "The metadata names a different issuer.",
    (body) => ({
      ...body,
      issuer: "https://attacker.example",
    }),
  ),
  "metadata.without_pkce": changed(
    "metadata",
    "The metadata lists no PKCE methods.",
    (body) => omit(body, "code_challenge_methods_supported"),
  ),
  "metadata.not_found": {
    summary: "The metadata is missing: 404.",
    appliesTo: places.metadata,
    respond: async () => failure(404, "not_found", "There is nothing at this address."),
  },
  "metadata.wrong_content_type": {
    summary: "The metadata has the content type text/html.",
    appliesTo: places.metadata,
    canChange: isJson,
    change: (response) => ({
      ...response,
      headers: [["Content-Type", "text/html"], ...withoutType(response)],
    }),
  },
  "jwks.empty": changed("jwks", "The key set is empty.", (body) => ({ ...body, keys: [] })),
  "jwks.rotated": {
    summary:
      "The keys are rotated during a flow: the tokens are signed with a key that the client has not fetched.",
    appliesTo: places.token,
    respond: async ({ server: { context } }, proceed) => {
      await context.keys.extend(context.settings.alg, () => context.now());
      return await proceed();
    },
  },
  "introspect.inactive": {
    summary: "Introspection reports the token as inactive.",
    appliesTo: places.introspect,
    canChange: isJson,
    change: (response) => withJson(response, () => ({ active: false })),
  },
  "register.refused": {
    summary: "Registration fails with invalid_client_metadata.",
    appliesTo: places.register,
    respond: async () =>
      failure(400, "invalid_client_metadata", "This client cannot register here."),
  },
};

function changed(
  place: FaultPlace,
  summary: string,
  change: (body: Record<string, unknown>) => Record<string, unknown>,
): FaultKind {
  return {
    summary,
    appliesTo: places[place],
    canChange: isJson,
    change: (response) => withJson(response, change),
  };
}

function isJson(response: WireResponse): boolean {
  return response.status < 300 && jsonOf(response) !== undefined;
}

function withoutType({ headers }: WireResponse): WireResponse["headers"] {
  return headers.filter(([name]) => name.toLowerCase() !== "content-type");
}

function omit(body: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([each]) => each !== name));
}
