import { isSha256, sha256 } from "../util/hash.ts";
import type { FormParameters } from "./form_parameters.ts";
import { errorFactory, type OAuthError } from "./oauth_error.ts";

const section = "OAuth 2.1, section 4.1.1";
const invalidRequest = errorFactory("invalid_request", section);
const invalidGrant = errorFactory("invalid_grant", "OAuth 2.1, section 4.1.3");
/** The transformations that are accepted. `plain` protects nobody who can read the request. */
export const codeChallengeMethods = ["S256"] as const;

/** Checks the challenge of an authorization request, and whether there had to be one. */
export function readCodeChallenge(
  parameters: Pick<FormParameters, "get">,
  needed: boolean,
): string | undefined {
  const challenge = parameters.get("code_challenge");
  const method = parameters.get("code_challenge_method");
  if (challenge === undefined && method !== undefined) {
    throw invalidRequest("A code_challenge_method came without a code_challenge.");
  }
  if (challenge === undefined && needed) {
    throw invalidRequest("PKCE is required: the parameter 'code_challenge' is missing.");
  }
  if (challenge === undefined) return undefined;
  if (method === undefined) {
    throw invalidRequest(
      "A missing code_challenge_method means 'plain', which is refused; send S256.",
    );
  }
  if (method !== "S256") {
    throw invalidRequest(
      `The code_challenge_method '${method.slice(0, 16)}' is not supported; send S256.`,
    );
  }
  if (!isSha256(challenge)) {
    throw invalidRequest("An S256 code_challenge is 43 characters of base64url.");
  }
  return challenge;
}

/** Checks the verifier of a token request against the challenge that was stored, never against what the request says. */
export async function checkCodeVerifier(
  challenge: string | undefined,
  verifier: string | undefined,
): Promise<void> {
  if (challenge === undefined) return checkVerifierExpected(verifier);
  if (verifier === undefined) {
    throw mismatch("The parameter 'code_verifier' is missing; the code was asked for with PKCE.");
  }
  if (!isCodeVerifier(verifier)) {
    throw mismatch("A code_verifier is 43 to 128 unreserved characters.");
  }
  if (await sha256(verifier) !== challenge) {
    throw mismatch("The code_verifier does not match the code_challenge.");
  }
}

/** A verifier without a challenge is the mark of a downgrade (RFC 9700, section 4.8.2). */
function checkVerifierExpected(verifier: string | undefined): void {
  if (verifier === undefined) return;
  throw invalidRequest(
    "A code_verifier came for a code that was asked for without a code_challenge.",
    {
      see: "RFC 9700, section 4.8.2",
    },
  );
}

function mismatch(message: string): OAuthError {
  return invalidGrant(message);
}

/** The grammar is checked before hashing: a verifier of one character can be guessed (RFC 7636, section 4.1). */
export function isCodeVerifier(text: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(text);
}
