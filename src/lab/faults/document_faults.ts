import type { WireResponse } from "../watch/exchange.ts";
import { jsonOf } from "../watch/exchange.ts";
import type { FaultKind } from "./fault.ts";
import { failure } from "./http_faults.ts";
import type { Place } from "./places.ts";
import { places } from "./places.ts";
import { withJson } from "./token_faults.ts";

export type DocumentFault =
  | `metadata.${"wrong_issuer" | "without_pkce" | "not_found" | "wrong_content_type"}`
  | `jwks.${"empty" | "rotated"}`
  | "introspect.inactive"
  | "register.refused";

/** What can be wrong with the documents that a client reads first, and with answers about tokens. */
export const documentFaults: Record<DocumentFault, FaultKind> = {
  "metadata.wrong_issuer": changed("metadata", "The metadata names another issuer than it was asked for.", (body) => ({
    ...body,
    issuer: "https://attacker.example",
  })),
  "metadata.without_pkce": changed(
    "metadata",
    "The metadata names no PKCE methods.",
    (body) => omit(body, "code_challenge_methods_supported"),
  ),
  "metadata.not_found": {
    what: "There is no metadata: 404.",
    concerns: places.metadata,
    instead: async () => failure(404, "not_found", "There is nothing at this address."),
  },
  "metadata.wrong_content_type": {
    what: "The metadata comes as text/html.",
    concerns: places.metadata,
    fits: isJson,
    spoil: (answered) => ({ ...answered, headers: [["Content-Type", "text/html"], ...withoutType(answered)] }),
  },
  "jwks.empty": changed("jwks", "The key set has no keys.", (body) => ({ ...body, keys: [] })),
  "jwks.rotated": {
    what: "The keys are rotated while a flow is under way: the token is signed with a key that the client has not seen.",
    concerns: places.token,
    instead: async ({ server: { context } }, proceed) => {
      await context.keys.extend(context.settings.alg, () => context.now());
      return await proceed();
    },
  },
  "introspect.inactive": {
    what: "Introspection says that the token is inactive.",
    concerns: places.introspect,
    fits: isJson,
    spoil: (answered) => withJson(answered, () => ({ active: false })),
  },
  "register.refused": {
    what: "Registration is refused with invalid_client_metadata.",
    concerns: places.register,
    instead: async () => failure(400, "invalid_client_metadata", "This client is not welcome here."),
  },
};

function changed(place: Place, what: string, change: (body: Record<string, unknown>) => Record<string, unknown>): FaultKind {
  return { what, concerns: places[place], fits: isJson, spoil: (answered) => withJson(answered, change) };
}

function isJson(answered: WireResponse): boolean {
  return answered.status < 300 && jsonOf(answered) !== undefined;
}

function withoutType({ headers }: WireResponse): WireResponse["headers"] {
  return headers.filter(([name]) => name.toLowerCase() !== "content-type");
}

function omit(body: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([each]) => each !== name));
}
