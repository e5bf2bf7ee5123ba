import { isSha256, sha256 } from "../util/hash.ts";
import type { FormParameters } from "./form_parameters.ts";
import { errorFactory } from "./oauth_error.ts";

const invalidRequest = errorFactory("invalid_request", "OAuth 2.1, section 4.1.1");
const invalidGrant = errorFactory("invalid_grant", "OAuth 2.1, section 4.1.3");

/** The supported challenge methods. `plain` is useless if an attacker can read the request. */
export const codeChallengeMethods = ["S256"] as const;

/** Reads the code challenge of an authorization request. */
export function readCodeChallenge(
  parameters: Pick<FormParameters, "get">,
  isRequired: boolean,
): string | undefined {
  const challenge = parameters.get("code_challenge");
  const method = parameters.get("code_challenge_method");
  if (challenge === undefined) {
    if (method !== undefined) {
      throw invalidRequest("The request has a code_challenge_method but no code_challenge.");
    }
    if (!isRequired) return undefined;
    throw invalidRequest("PKCE is required, and the parameter 'code_challenge' is missing.");
  }
  if (method === undefined) {
    throw invalidRequest(
      "The code_challenge_method must be 'S256'. It is missing, which means 'plain'.",
    );
  }
  if (method !== "S256") {
    throw invalidRequest(
      `The code_challenge_method must be 'S256', not '${method.slice(0, 16)}'.`,
    );
  }
  if (!isSha256(challenge)) {
    throw invalidRequest("An S256 code_challenge must be 43 characters of base64url.");
  }
  return challenge;
}

/** Checks the verifier of a token request against the stored challenge. */
export async function checkCodeVerifier(
  challenge: string | undefined,
  verifier: string | undefined,
): Promise<void> {
  if (challenge === undefined) return checkNoVerifier(verifier);
  if (verifier === undefined) {
    throw invalidGrant(
      "The parameter 'code_verifier' is missing. The authorization request had a code_challenge.",
    );
  }
  if (!isCodeVerifier(verifier)) {
    throw invalidGrant("The code_verifier must be 43 to 128 unreserved characters.");
  }
  if (await sha256(verifier) !== challenge) {
    throw invalidGrant("The code_verifier does not match the code_challenge.");
  }
}

/** A verifier without a challenge is the sign of a downgrade attack (RFC 9700, section 4.8.2). */
function checkNoVerifier(verifier: string | undefined): void {
  if (verifier === undefined) return;
  throw invalidRequest(
    "The request has a code_verifier, but the authorization request had no code_challenge.",
    { see: "RFC 9700, section 4.8.2" },
  );
}

/** Whether a text is a code verifier. A shorter one could be guessed (RFC 7636, section 4.1). */
export function isCodeVerifier(text: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(text);
}
