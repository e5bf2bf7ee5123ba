import type { ResponseData } from "../../../server/http/response_data.ts";
import { mockJson } from "./mock_error.ts";
import type { MockIssuerExchange } from "./mock_state.ts";
import { publicKeyOf, signerOf } from "./mock_tokens.ts";

/** Responds with the metadata of an issuer. */
export function respondWithMetadata({ issuer, state }: MockIssuerExchange): ResponseData {
  return mockJson({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    end_session_endpoint: `${issuer}/endsession`,
    revocation_endpoint: `${issuer}/revoke`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    introspection_endpoint: `${issuer}/introspect`,
    response_types_supported: ["code"],
    response_modes_supported: ["query", "fragment", "form_post"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [state.alg],
    code_challenge_methods_supported: ["plain", "S256"],
  });
}

/** Responds with the key of an issuer. */
export async function respondWithKeys(exchange: MockIssuerExchange): Promise<ResponseData> {
  return mockJson({ keys: [await publicKeyOf(signerOf(exchange))] });
}

/** Sends a browser to the flows that the lab recorded, in place of the debugger. */
export function respondToDebugger(): ResponseData {
  return { status: 302, headers: [["Location", "/lab/flows"]], body: null };
}
