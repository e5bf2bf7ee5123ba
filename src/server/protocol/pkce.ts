import { isSha256, sha256 } from "../util/crypto/hash.ts";
import type { FormParameters } from "./form_parameters.ts";
import { type ApplyRule, requirePresent, type Rule } from "./rule.ts";

/** The supported challenge methods. `plain` is useless if an attacker can read the request. */
export const codeChallengeMethods = ["S256"] as const;

const aboutChallenge = {
  see: "OAuth 2.1, section 4.1.1",
  parameter: "code_challenge",
  error: "invalid_request",
  advice: "Create a code_verifier for each request, and send its SHA-256 in base64url as the " +
    "code_challenge.",
} as const;

/** The parameters of PKCE in an authorization request. */
interface ChallengeParameters {
  challenge: string | undefined;
  method: string | undefined;
  isRequired: boolean;
}

const methodHasChallenge: Rule<ChallengeParameters> = {
  ...aboutChallenge,
  id: "challenge.with_method",
  title: "The request has a code_challenge, if it has a code_challenge_method",
  message: "The request has a code_challenge_method but no code_challenge.",
  holds: ({ challenge, method }) => challenge !== undefined || method === undefined,
};

const requiredChallengeIsPresent: Rule<ChallengeParameters> = {
  ...aboutChallenge,
  id: "challenge.present",
  title: "The request has a PKCE challenge",
  message: "PKCE is required, and the parameter 'code_challenge' is missing.",
  holds: ({ challenge, isRequired }) => challenge !== undefined || !isRequired,
  expected: ({ isRequired }) => isRequired ? "a code_challenge" : "a code_challenge, or none",
  came: ({ challenge }) => challenge === undefined ? "none" : "a code_challenge",
};

const methodIsPresent: Rule<string | undefined> = {
  ...aboutChallenge,
  id: "challenge.method_present",
  title: "The request has the parameter 'code_challenge_method'",
  parameter: "code_challenge_method",
  message: "The code_challenge_method must be 'S256'. It is missing, which means 'plain'.",
  advice: "Send code_challenge_method=S256 with the code_challenge.",
  holds: (method) => method !== undefined,
};

const methodIsS256: Rule<string> = {
  ...aboutChallenge,
  id: "challenge.method",
  title: "The code_challenge_method is S256",
  parameter: "code_challenge_method",
  message: "The code_challenge_method must be 'S256'.",
  advice: "Send code_challenge_method=S256, and the SHA-256 of the code_verifier.",
  holds: (method) => method === "S256",
  expected: () => "S256",
  came: (method) => `'${method}'`,
};

const challengeIsSha256: Rule<string> = {
  ...aboutChallenge,
  id: "challenge.form",
  title: "The code_challenge is a SHA-256 hash in base64url",
  message: "An S256 code_challenge must be 43 characters of base64url.",
  holds: isSha256,
  expected: () => "43 characters of base64url",
  came: (challenge) => `${challenge.length} characters${isHexHash(challenge) ? " of hex" : ""}`,
  adviceFor: (challenge) =>
    isHexHash(challenge)
      ? "This looks like a SHA-256 in hex. Encode the 32 bytes of the hash as base64url instead."
      : undefined,
};

function isHexHash(text: string): boolean {
  return /^[\da-f]{64}$/i.test(text);
}

/** Reads the code challenge of an authorization request. */
export function readCodeChallenge(
  apply: ApplyRule,
  parameters: Pick<FormParameters, "get">,
  isRequired: boolean,
): string | undefined {
  const challenge = parameters.get("code_challenge");
  const method = parameters.get("code_challenge_method");
  apply(methodHasChallenge, { challenge, method, isRequired });
  apply(requiredChallengeIsPresent, { challenge, method, isRequired });
  if (challenge === undefined) return undefined;
  apply(methodIsS256, requirePresent(apply, methodIsPresent, method));
  apply(challengeIsSha256, challenge);
  return challenge;
}

/** Checks the verifier of a token request against the stored challenge. */
export async function checkCodeVerifier(
  apply: ApplyRule,
  challenge: string | undefined,
  verifier: string | undefined,
): Promise<void> {
  apply(verifierHasChallenge, { challenge, verifier });
  if (challenge === undefined) return;
  apply(verifierIsPresent, verifier);
  apply(verifierIsWellFormed, verifier);
  apply(verifierMatchesChallenge, { challenge, hash: await sha256(verifier ?? "") });
}

const aboutVerifier = {
  see: "OAuth 2.1, section 4.1.3",
  parameter: "code_verifier",
  error: "invalid_grant",
} as const;

/** A verifier without a challenge indicates a downgrade attack (RFC 9700, section 4.8.2). */
const verifierHasChallenge: Rule<Record<"challenge" | "verifier", string | undefined>> = {
  ...aboutVerifier,
  id: "verifier.has_challenge",
  title: "The authorization request had a code_challenge, if there is a code_verifier",
  see: "RFC 9700, section 4.8.2",
  error: "invalid_request",
  message: "The request has a code_verifier, but the authorization request had no code_challenge.",
  advice: "Send the code_challenge of this code_verifier with the authorization request.",
  holds: ({ challenge, verifier }) => verifier === undefined || challenge !== undefined,
  expected: ({ challenge }) => challenge === undefined ? "no code_verifier" : "a code_verifier",
  came: ({ verifier }) => verifier === undefined ? "none" : "a code_verifier",
};

const verifierIsPresent: Rule<string | undefined> = {
  ...aboutVerifier,
  id: "verifier.present",
  title: "The request has the parameter 'code_verifier'",
  message:
    "The parameter 'code_verifier' is missing. The authorization request had a code_challenge.",
  advice: "Keep the code_verifier until the code arrives, and send both together.",
  holds: (verifier) => verifier !== undefined,
  expected: () => "the code_verifier of the code_challenge",
  came: (verifier) => verifier === undefined ? "none" : "a code_verifier",
};

export const verifierIsWellFormed: Rule<string | undefined> = {
  ...aboutVerifier,
  see: "OAuth 2.1, section 4.1.1",
  id: "verifier.form",
  title: "The code_verifier has 43 to 128 unreserved characters",
  message: "The code_verifier must be 43 to 128 unreserved characters.",
  advice: "Create the code_verifier from 32 random bytes, in base64url.",
  holds: (verifier) => verifier !== undefined && isCodeVerifier(verifier),
  expected: () => "43 to 128 unreserved characters",
  came: (verifier) => `${verifier?.length ?? 0} characters`,
};

/** RFC 7636, section 4.6. */
const verifierMatchesChallenge: Rule<{ challenge: string; hash: string }> = {
  ...aboutVerifier,
  id: "verifier.matches",
  title: "The code_verifier matches the code_challenge",
  message: "The code_verifier does not match the code_challenge.",
  advice: "Send the code_verifier whose SHA-256 was the code_challenge of the same request.",
  holds: ({ challenge, hash }) => hash === challenge,
  expected: ({ challenge }) => `the SHA-256 ${challenge}`,
  came: ({ hash }) => `the SHA-256 ${hash}`,
};

/** Whether a text is a code verifier. A shorter one could be guessed (OAuth 2.1, section 4.1.1). */
export function isCodeVerifier(text: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(text);
}
