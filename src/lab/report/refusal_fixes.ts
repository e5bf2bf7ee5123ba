import { ownMember } from "../../util/own_member.ts";
import type { Refusal } from "../recording/refusal.ts";

/** What to do about an error that is about a parameter. */
const fixesByParameter: Readonly<Record<string, string>> = {
  client_id: "Send the id of a client that is configured here, or register one.",
  client_secret:
    "Send the id and the secret of the same client, by the method it is configured for.",
  Authorization: "Send credentials that are valid here, and were issued to this client.",
  client_assertion:
    "Sign the assertion with the client's key, for this issuer, anew for each request.",
  code: "Redeem each code once, soon, and with the client that asked for it.",
  code_challenge:
    "Create a code_verifier for each request, and send its SHA-256 in base64url as the code_challenge.",
  code_challenge_method: "Send code_challenge_method=S256 beside the code_challenge.",
  code_verifier:
    "Keep the code_verifier with the state of its request, and send it with the code of that request.",
  DPoP: "Sign a new proof for each request, with its method, its URL and the present time.",
  grant_type:
    "Use one of the client's grants; for users, that is the authorization code with PKCE.",
  nonce: "Send a random nonce, and keep it to compare it with that of the ID token.",
  redirect_uri:
    "Send a redirect_uri that the client has, character by character, or add this one to the client.",
  refresh_token: "Store the refresh token of each response, and start again when it is refused.",
  resource: "Ask for an API that the server knows and that this client may use.",
  response_type: "Send response_type=code.",
  scope: "Ask for scopes that the server knows and that this client may have.",
};

/** Errors about a parameter for which the usual advice would be wrong. */
const fixesByError: Readonly<Record<string, string>> = {
  unsupported_grant_type:
    "Use the authorization code grant with PKCE. OAuth 2.1 has neither the password grant nor the implicit grant.",
  slow_down:
    "Wait for the interval of the device response, and 5 seconds more after each slow_down.",
  access_denied: "A user may say no: go on without access, and let them try again.",
  not_found: "Read the URL of the endpoint from the metadata of the issuer.",
};

/** Returns what the developer of a client can do about a refusal, or undefined. */
export function refusalFix({ error, parameter }: Refusal): string | undefined {
  return ownMember(fixesByError, error) ??
    (parameter === undefined ? undefined : ownMember(fixesByParameter, parameter));
}
