import { alwaysAuthenticates, type Client, isPublic } from "../model/client.ts";
import type { PkceRequirement } from "../model/client_config.ts";
import { isSha256, sha256 } from "../util/crypto/hash.ts";
import { counted } from "../util/time/duration.ts";
import type { FormParameters } from "./form_parameters.ts";
import { type ApplyRule, compared, requirePresent, ruleSet } from "./rule.ts";

/** The supported challenge methods. `plain` is useless if an attacker can read the request. */
export const codeChallengeMethods = ["S256"] as const;

/** A shorter nonce could be guessed. */
const minNonceLength = 16;

/** A request whose ID token, if it gets one, brings its nonce back to the client. */
export interface RequestWithNonce {
  scope: readonly string[];
  nonce: string | undefined;
}

const aboutChallenge = {
  see: "OAuth 2.1, section 4.1.1",
  parameter: "code_challenge",
  error: "invalid_request",
} as const;

const howToChallenge = "Create a code_verifier for each request, and send its SHA-256 in " +
  "base64url as the code_challenge.";

/** How a SHA-256 may come that is not in base64url. */
const encodings = [
  {
    name: "hex",
    form: /^[\da-f]{64}$/i,
    fix: "This looks like a SHA-256 in hex. Encode the 32 bytes of the hash as base64url instead.",
  },
  {
    name: "Base64",
    // A form turns a plus sign into a space.
    form: /^(?=.*[+/ =])[\w+/ ]{43}=?$/,
    fix: "This looks like Base64. Use base64url: '-' and '_' instead of '+' and '/', and no '='.",
  },
] as const;

export const challengeRules = ruleSet("challenge", aboutChallenge, {
  with_method: {
    title: "A code_challenge_method must come with a code_challenge",
    fix: howToChallenge,
    holds: ({ challenge, method }: { challenge: string | undefined; method: string | undefined }) =>
      challenge !== undefined || method === undefined,
  },
  present: {
    title: "The request must have a code_challenge, because PKCE is required",
    fix: howToChallenge,
  },
  // Applied only without a challenge: a request that passes relies on its nonce.
  or_nonce: {
    see: "RFC 9700, section 2.1.1",
    title: "The request must have a code_challenge, or the scope openid with a nonce of at least " +
      `${minNonceLength} characters`,
    fix:
      `${howToChallenge} Or ask for openid with a random nonce, and compare it with that of the ` +
      "ID token before you use any other token.",
    holds: hasProtectiveNonce,
    expected: () => `a code_challenge, or openid with a nonce of ${minNonceLength} characters`,
    received: describeNonce,
  },
  method_present: {
    parameter: "code_challenge_method",
    title: "The request must have a code_challenge_method, because the default is 'plain'",
    fix: "Send code_challenge_method=S256 with the code_challenge.",
  },
  method: {
    ...compared,
    parameter: "code_challenge_method",
    title: "The code_challenge_method must be 'S256'",
    fix: "Send code_challenge_method=S256, and the SHA-256 of the code_verifier.",
  },
  form: {
    title: "The code_challenge must be a SHA-256: 43 characters of base64url",
    fix: howToChallenge,
    fixFor: (challenge) => encodingOf(challenge)?.fix,
    holds: isSha256,
    received: describeChallenge,
  },
});

function describeChallenge(challenge: string): string {
  const length = counted(challenge.length, "character");
  return [length, encodingOf(challenge)?.name].filter(Boolean).join(" of ");
}

function encodingOf(challenge: string): (typeof encodings)[number] | undefined {
  return encodings.find(({ form }) => form.test(challenge));
}

const aboutVerifier = {
  see: "OAuth 2.1, section 4.1.3",
  parameter: "code_verifier",
  error: "invalid_grant",
} as const;

export const verifierRules = ruleSet("verifier", aboutVerifier, {
  // A verifier without a challenge indicates a downgrade attack.
  has_challenge: {
    see: "RFC 9700, section 4.8.2",
    error: "invalid_request",
    title: "A code_verifier must belong to a code_challenge of the authorization request",
    fix: "Send the code_challenge of this code_verifier with the authorization request.",
    holds: (
      { challenge, verifier }: { challenge: string | undefined; verifier: string | undefined },
    ) => verifier === undefined || challenge !== undefined,
    expected: ({ challenge }) => challenge === undefined ? "no code_verifier" : "a code_verifier",
    received: ({ verifier }) => verifier === undefined ? "none" : "a code_verifier",
  },
  present: {
    title: "The request must have the code_verifier of the code_challenge",
    fix: "Keep the code_verifier until the code arrives, and send both together.",
    received: (verifier) => verifier === undefined ? "none" : "a code_verifier",
  },
  form: {
    see: "OAuth 2.1, section 4.1.1",
    title: "The code_verifier must have 43 to 128 unreserved characters",
    fix: "Create the code_verifier from 32 random bytes, in base64url.",
    holds: isCodeVerifier,
    received: describeVerifier,
  },
  // RFC 7636, section 4.6.
  matches: {
    ...compared,
    title: "The code_verifier must match the code_challenge",
    fix: "Send the code_verifier that was created for the same authorization request.",
    fixFor: ({ sent, expected }: { sent: string; expected: string }) =>
      sent === expected
        ? "This code_verifier is the code_challenge itself. Keep the code_verifier, and send only " +
          "its SHA-256 as the code_challenge."
        : undefined,
    expected: ({ expected }) => `the SHA-256 ${expected}`,
    received: ({ received }) => `the SHA-256 ${received}`,
  },
});

/** Returns which requests of a client must use PKCE: all of them if it is a public one. */
export function pkceRequirementOf(client: Client): PkceRequirement {
  return isPublic(client) ? "required" : client.pkce ?? "required";
}

/**
 * Whether a client may redeem a code without a challenge. A nonce protects its users only if a
 * thief of the code cannot redeem it: a client that relies on one has authenticated.
 */
export function mayRedeemUnchallenged(client: Client, granted: RequestWithNonce): boolean {
  const requirement = pkceRequirementOf(client);
  if (requirement !== "or-nonce") return requirement === "optional";
  return alwaysAuthenticates(client) && hasProtectiveNonce(granted);
}

function hasProtectiveNonce({ scope, nonce = "" }: RequestWithNonce): boolean {
  return scope.includes("openid") && nonce.length >= minNonceLength;
}

function describeNonce({ scope, nonce }: RequestWithNonce): string {
  if (nonce === undefined) return "neither";
  const length = counted(nonce.length, "character");
  return `a nonce of ${length}, ${scope.includes("openid") ? "with" : "without"} openid`;
}

/** Reads the code challenge of an authorization request for a scope. */
export function readCodeChallenge(
  apply: ApplyRule,
  parameters: FormParameters,
  requirement: PkceRequirement,
  scope: readonly string[] = [],
): string | undefined {
  const challenge = parameters.get("code_challenge");
  const method = parameters.get("code_challenge_method");
  apply(challengeRules.with_method, { challenge, method });
  if (requirement === "required") apply(challengeRules.present, challenge);
  if (requirement === "or-nonce" && challenge === undefined) {
    apply(challengeRules.or_nonce, { scope, nonce: parameters.get("nonce") });
  }
  if (challenge === undefined) return undefined;
  const named = requirePresent(apply, challengeRules.method_present, method);
  apply(challengeRules.method, { received: named, expected: codeChallengeMethods });
  apply(challengeRules.form, challenge);
  return challenge;
}

/** Checks the verifier of a token request against the stored challenge. */
export async function checkCodeVerifier(
  apply: ApplyRule,
  challenge: string | undefined,
  verifier: string | undefined,
): Promise<void> {
  apply(verifierRules.has_challenge, { challenge, verifier });
  if (challenge === undefined) return;
  const sent = requirePresent(apply, verifierRules.present, verifier);
  apply(verifierRules.form, sent);
  apply(verifierRules.matches, { received: await sha256(sent), expected: challenge, sent });
}

/** Whether a text is a code verifier. A shorter one could be guessed (OAuth 2.1, section 4.1.1). */
export function isCodeVerifier(text: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(text);
}

/** Describes a malformed code verifier by its length, and by what it may not contain. */
export function describeVerifier(text: string): string {
  const length = counted(text.length, "character");
  const wrong = /[^A-Za-z0-9._~-]/u.exec(text)?.[0];
  return wrong === undefined ? length : `${length}, of which '${wrong}' is not allowed`;
}
