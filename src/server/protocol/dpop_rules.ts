import type { JWK } from "jose";
import type { Client } from "../model/client.ts";
import { counted, describeSpan, minute } from "../util/time/duration.ts";
import { isCostlyKey, isPrivateKey, keyFitsAlgorithm } from "./client_key.ts";
import { isJwtType } from "./jwt.ts";
import { type Compared, compared, describeValue, ruleSet } from "./rule.ts";

/** The maximum difference between the clock of a client and ours, in seconds. */
export const maxProofAge = 1 * minute;

const maxProofLength = 8 * 1024;

/** The thumbprint of the key that a request proves, if it has a proof. */
interface ProvenThumbprint {
  jkt: string | undefined;
}

const about = {
  see: "RFC 9449, section 4.3",
  parameter: "DPoP",
  error: "invalid_dpop_proof",
} as const;

export const dpop = ruleSet("dpop", about, {
  one: {
    title: "The request must have one DPoP header",
    holds: (header: string) => !header.includes(","),
    received: (header) => header.includes(",") ? "several, or a comma in one" : "one",
  },
  length: {
    title: `The proof must have at most ${maxProofLength} characters`,
    fix: "Put only the required claims into the proof.",
    holds: (proof: string) => proof.length <= maxProofLength,
    received: (proof) => counted(proof.length, "character"),
  },
  jwt: {
    title: "The DPoP header must be the compact form of a signed JWT",
    received: (header) => header === undefined ? "text that cannot be decoded as a JWT" : "a JWT",
  },
  typ: {
    title: "The 'typ' of the proof must be 'dpop+jwt'",
    holds: (typ) => isJwtType(typ, ["dpop+jwt"]),
    received: describeValue,
  },
  alg: {
    ...compared,
    title: "The 'alg' of the proof must be one of the server's dpop_signing_alg_values_supported",
  },
  jwk: {
    title: "The header of the proof must contain the public key as 'jwk'",
    received: (jwk) => jwk === undefined ? "no key" : "a key",
  },
  public_key: {
    title: "The 'jwk' of the proof must be public; a private key that was sent must be replaced",
    holds: (jwk: JWK) => !isPrivateKey(jwk),
  },
  key_type: {
    title: "The 'jwk' of the proof must be a key for its 'alg'",
    holds: ({ jwk, alg }: { jwk: JWK; alg: string }) => keyFitsAlgorithm(jwk, alg),
    expected: ({ alg }) => `a key for ${alg}`,
  },
  key_size: {
    title: "The 'jwk' of the proof must not be an unusually large RSA key",
    fix: "Use a key on the curve P-256.",
    holds: (jwk: JWK) => !isCostlyKey(jwk),
  },
  signature: {
    title: "The proof must be signed with the private key of its 'jwk'",
    // The problem is the message of the JWT library, which contains no claims.
    message: ({ problem }) => `The proof cannot be verified with its own key: ${problem}.`,
    holds: ({ problem }: { problem: string | undefined }) => problem === undefined,
    received: ({ problem = "such a signature" }) => problem,
  },
  jti: {
    title: "The proof must have a 'jti'",
    fix: "Give each proof a new random 'jti'.",
    holds: (jti: string | undefined) => jti !== undefined && jti !== "",
    received: (jti) => jti || "none",
  },
  htm: {
    ...compared,
    title: "The 'htm' of the proof must be the method of the request",
    fix: "Sign a new proof for each request.",
  },
  // The `htu` is normalized; the URLs are those of the endpoint.
  htu: {
    ...compared,
    title: "The 'htu' of the proof must be the URL of the request, without the query",
    message: (facts) =>
      `The 'htu' of the proof must be the URL of the request, ${compared.expected(facts)}.`,
    fix: "Sign a new proof for each request.",
    holds: ({ isThis }: Compared & { isThis: boolean }) => isThis,
  },
  iat: {
    title: "The proof must have an 'iat', the current time in seconds",
    received: describeValue,
  },
  fresh: {
    title: `The 'iat' of the proof must be at most ${maxProofAge} seconds from the current time`,
    message: ({ age }) =>
      `The 'iat' of the proof must be at most ${maxProofAge} seconds from the current time, ` +
      `but is ${Math.round(Math.abs(age))} seconds in the ${pastOrFuture(age)}.`,
    fix: "Sign a new proof for each request, and check the clock of the client.",
    holds: ({ age }: { age: number }) => Math.abs(age) <= maxProofAge,
    received: ({ age }) => `${describeSpan(age * 1000)} in the ${pastOrFuture(age)}`,
  },
  ath: {
    ...compared,
    title: "The 'ath' of the proof must be the SHA-256 of the access token, in base64url",
  },
  token_key: {
    ...compared,
    title: "The proof must be made with the key that the access token is bound to",
  },
  unused: {
    title: "The proof must not have been used before",
    fix: "Sign a new proof for each request, with a new random 'jti'.",
    holds: ({ isFirst }: { isFirst: boolean }) => isFirst,
  },
  required: {
    title: "A client whose tokens must be bound to a key must send a DPoP proof",
    holds: ({ jkt, client }: ProvenThumbprint & { client: Client }) =>
      jkt !== undefined || client.dpop === "optional",
    received: describeProof,
  },
  present: {
    title: "An access token that is bound to a key must come with a DPoP proof",
    holds: ({ jkt }: ProvenThumbprint) => jkt !== undefined,
    received: describeProof,
  },
  pushed_key: {
    ...compared,
    see: "RFC 9449, section 10.1",
    parameter: "dpop_jkt",
    title: "The dpop_jkt must be the thumbprint of the key that signs the proof",
    fix: "Send that thumbprint, or omit the dpop_jkt.",
  },
  nonce: {
    see: "RFC 9449, section 8",
    error: "use_dpop_nonce",
    title: "The proof must have the nonce in the header DPoP-Nonce of this response",
    fix: "Sign the proof again with this nonce, and send the request again.",
    details: ({ expected: [current = ""] }) => ({ headers: { "DPoP-Nonce": current } }),
    holds: ({ received, expected }: Compared & { expected: readonly string[] }) =>
      compared.holds({ received, expected }),
    received: ({ received }) =>
      received === undefined ? "no nonce" : "an unknown or outdated nonce",
  },
});

function pastOrFuture(age: number): string {
  return age > 0 ? "past" : "future";
}

function describeProof({ jkt }: ProvenThumbprint): string {
  return jkt === undefined ? "no proof" : `a proof of the key ${jkt}`;
}
