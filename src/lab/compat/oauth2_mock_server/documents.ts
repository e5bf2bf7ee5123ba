import type { ResponseData } from "../../../server/http/response_data.ts";
import { issuerUrl } from "../../../server/protocol/issuer_url.ts";
import { type MockExchange, type MockParts, mutableResponse } from "./mock_exchange.ts";
import { InvalidRequest } from "./problem.ts";
import type { MutableResponse } from "./types.ts";

/** Responds with the metadata, which names the endpoints of the test. */
export function respondWithMetadata(
  { issuer, endpoints, emit }: MockParts,
  { message }: MockExchange,
): ResponseData {
  const { url } = issuer;
  if (url === undefined) throw new InvalidRequest("Unknown issuer url.");
  const at = (path: string) => issuerUrl(url.replace(/\/$/, ""), path);
  const response: MutableResponse = {
    statusCode: 200,
    body: {
      issuer: url,
      authorization_endpoint: at(endpoints.authorize),
      token_endpoint: at(endpoints.token),
      userinfo_endpoint: at(endpoints.userinfo),
      jwks_uri: at(endpoints.jwks),
      revocation_endpoint: at(endpoints.revoke),
      introspection_endpoint: at(endpoints.introspect),
      end_session_endpoint: at(endpoints.endSession),
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: [
        "client_credentials",
        "authorization_code",
        "password",
        "urn:ietf:params:oauth:grant-type:jwt-bearer",
      ],
      token_endpoint_auth_methods_supported: ["none"],
      token_endpoint_auth_signing_alg_values_supported: ["RS256"],
      id_token_signing_alg_values_supported: ["RS256"],
      subject_types_supported: ["public"],
      code_challenge_methods_supported: ["plain", "S256"],
    },
  };
  emit("beforeWellKnownOpenIdConfiguration", response, message);
  return mutableResponse(response);
}

/** Responds with the public keys of the test. */
export function respondWithKeys({ issuer }: MockParts): ResponseData {
  return mutableResponse({ statusCode: 200, body: { keys: issuer.keys.toJSON() } });
}
