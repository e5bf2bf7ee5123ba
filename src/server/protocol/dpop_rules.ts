import type { JWK } from "jose";
import type { Client } from "../model/client.ts";
import { describeSpan } from "../util/time/describe_span.ts";
import { minute } from "../util/time/duration.ts";
import { isCostlyKey, isPrivateKey, keyFitsAlgorithm } from "./client_key.ts";
import { isJwtType } from "./jwt.ts";
import type { Rule } from "./rule.ts";

/** The maximum difference between the clock of a client and ours, in seconds. */
export const clockTolerance: number = 1 * minute;

const maxProofLength = 8 * 1024;

const about = {
  see: "RFC 9449, section 4.3",
  parameter: "DPoP",
  error: "invalid_dpop_proof",
} as const;

export const headerHasOneProof: Rule<string> = {
  ...about,
  id: "dpop.one",
  title: "The request has one DPoP header",
  message: "The request has more than one DPoP header.",
  advice: "Send one proof with each request.",
  holds: (header) => !header.includes(","),
  expected: () => "one proof",
  came: (header) => header.includes(",") ? "several, or a comma in one" : "one",
};

export const proofIsShort: Rule<string> = {
  ...about,
  id: "dpop.length",
  title: `The proof has at most ${maxProofLength} characters`,
  message: `The proof is longer than ${maxProofLength} characters.`,
  advice: "Put only the required claims into the proof.",
  holds: (proof) => proof.length <= maxProofLength,
  came: (proof) => `${proof.length} characters`,
};

export const proofIsJwt: Rule<unknown> = {
  ...about,
  id: "dpop.jwt",
  title: "The proof is a JWT",
  message: "The DPoP header is not a JWT.",
  advice: "Send the compact form of a signed JWT.",
  holds: (header) => header !== undefined,
  expected: () => "the compact form of a signed JWT",
  came: (header) => header === undefined ? "text that cannot be decoded as a JWT" : "a JWT",
};

export const proofTypeIsDpop: Rule<unknown> = {
  ...about,
  id: "dpop.typ",
  title: "The 'typ' of the proof is 'dpop+jwt'",
  message: "The 'typ' of the proof must be 'dpop+jwt'.",
  advice: "Set the 'typ' of the proof's header to 'dpop+jwt'.",
  holds: (typ) => isJwtType(typ, ["dpop+jwt"]),
  expected: () => "dpop+jwt",
  came: describeMember,
};

/** The algorithm of a proof, and those that are supported. */
interface ProofAlgorithm {
  alg: string | undefined;
  algs: readonly string[];
}

export const proofAlgorithmIsSupported: Rule<ProofAlgorithm> = {
  ...about,
  id: "dpop.alg",
  title: "The 'alg' of the proof is supported",
  message: ({ algs }) => `The 'alg' of the proof must be one of: ${algs.join(", ")}.`,
  advice: "Sign the proof with one of the dpop_signing_alg_values_supported of the metadata.",
  holds: ({ alg, algs }) => alg !== undefined && algs.includes(alg),
  expected: ({ algs }) => algs.join(" or "),
  came: ({ alg }) => alg ?? "none",
};

export const proofHasKey: Rule<JWK | undefined> = {
  ...about,
  id: "dpop.jwk",
  title: "The header of the proof contains the public key",
  message: "The header of the proof must contain the public key as 'jwk'.",
  advice: "Put the public key into the header of the proof, as 'jwk'.",
  holds: (jwk) => jwk !== undefined,
  expected: () => "a public key as 'jwk'",
  came: (jwk) => jwk === undefined ? "no key" : `a key of the type ${describeMember(jwk.kty)}`,
};

export const proofKeyIsPublic: Rule<JWK> = {
  ...about,
  id: "dpop.public_key",
  title: "The 'jwk' of the proof is public",
  message: "The 'jwk' of the proof is a private key. It is no longer secret; replace it.",
  advice: "Replace the key, and send only its public members.",
  holds: (jwk) => !isPrivateKey(jwk),
};

export const proofKeyFits: Rule<{ jwk: JWK; alg: string }> = {
  ...about,
  id: "dpop.key_type",
  title: "The 'jwk' of the proof is a key for its 'alg'",
  message: "The 'jwk' of the proof is not a key for its 'alg'.",
  advice: "Send the public key that belongs to the signature.",
  holds: ({ jwk, alg }) => keyFitsAlgorithm(jwk, alg),
  expected: ({ alg }) => `a key for ${alg}`,
};

export const proofKeyIsCheap: Rule<JWK> = {
  ...about,
  id: "dpop.key_size",
  title: "The 'jwk' of the proof has an acceptable size",
  message: "The 'jwk' of the proof is an RSA key that is too large.",
  advice: "Use a key on the curve P-256.",
  holds: (jwk) => !isCostlyKey(jwk),
};

/** The problem is the message of the JWT library, which contains no claims. */
export const proofIsVerified: Rule<{ problem: string | undefined }> = {
  ...about,
  id: "dpop.signature",
  title: "The key of the proof verifies its signature",
  message: ({ problem }) => `The proof cannot be verified with its own key: ${problem}.`,
  advice: "Sign each proof anew, with the private key of its 'jwk'.",
  holds: ({ problem }) => problem === undefined,
  expected: () => "a signature by the private key of the 'jwk'",
  came: ({ problem = "such a signature" }) => problem,
};

export const proofHasId: Rule<string | undefined> = {
  ...about,
  id: "dpop.jti",
  title: "The proof has a 'jti'",
  message: "The proof has no 'jti'.",
  advice: "Give each proof a random 'jti'.",
  holds: (jti) => jti !== undefined && jti !== "",
  expected: () => "a random 'jti'",
  came: (jti) => jti || "none",
};

export const proofMethodMatches: Rule<{ htm: unknown; method: string }> = {
  ...about,
  id: "dpop.htm",
  title: "The 'htm' of the proof is the method of the request",
  message: ({ method }) => `The 'htm' of the proof must be '${method}'.`,
  advice: "Sign a new proof for each request, with its method as 'htm'.",
  holds: ({ htm, method }) => htm === method,
  expected: ({ method }) => method,
  came: ({ htm }) => describeMember(htm),
};

/** The `htu` is normalized; the URLs are those of the endpoint. */
export const proofUrlMatches: Rule<{ htu: unknown; isThis: boolean; urls: readonly string[] }> = {
  ...about,
  id: "dpop.htu",
  title: "The 'htu' of the proof is the URL of the request",
  message: ({ urls }) =>
    `The 'htu' of the proof must be the URL of the request, ${urls.join(" or ")}.`,
  advice: "Sign a new proof for each request, with its URL, without the query, as 'htu'.",
  holds: ({ isThis }) => isThis,
  expected: ({ urls }) => urls.join(" or "),
  came: ({ htu }) => describeMember(htu),
};

export const proofHasTime: Rule<number | undefined> = {
  ...about,
  id: "dpop.iat",
  title: "The proof has an 'iat'",
  message: "The proof has no 'iat'.",
  advice: "Set the 'iat' of the proof to the current time, in seconds.",
  holds: (iat) => iat !== undefined,
  expected: () => "the current time, in seconds",
  came: describeMember,
};

/** How long ago a proof was signed, in seconds. */
export const proofIsFresh: Rule<{ age: number }> = {
  ...about,
  id: "dpop.fresh",
  title: "The proof was signed recently",
  message: ({ age }) =>
    `The 'iat' of the proof is ${Math.round(Math.abs(age))} seconds in the ${pastOrFuture(age)}. ` +
    `At most ${clockTolerance} seconds are allowed.`,
  advice: "Sign a new proof for each request, and check the clock of the client.",
  holds: ({ age }) => Math.abs(age) <= clockTolerance,
  expected: () => `at most ${describeSpan(clockTolerance * 1000)}`,
  came: ({ age }) => `${describeSpan(age * 1000)} in the ${pastOrFuture(age)}`,
};

function pastOrFuture(age: number): string {
  // Untestable (> became >=): an age of zero is within the tolerance.
  return age > 0 ? "past" : "future";
}

export const proofHashMatchesToken: Rule<{ ath: unknown; hash: string }> = {
  ...about,
  id: "dpop.ath",
  title: "The 'ath' of the proof is the hash of the access token",
  message: "The 'ath' of the proof is not the SHA-256 of the access token.",
  advice: "Set the 'ath' of the proof to the SHA-256 of the access token, in base64url.",
  holds: ({ ath, hash }) => ath === hash,
  expected: ({ hash }) => hash,
  came: ({ ath }) => describeMember(ath),
};

export const proofKeyMatchesToken: Rule<{ jkt: string; bound: string }> = {
  ...about,
  id: "dpop.token_key",
  title: "The proof was made with the key of the access token",
  message: "The access token is bound to a different key than that of the proof.",
  advice: "Sign the proof with the key that the access token was issued for.",
  holds: ({ jkt, bound }) => jkt === bound,
  expected: ({ bound }) => `the key ${bound}`,
  came: ({ jkt }) => `the key ${jkt}`,
};

export const proofIsUnused: Rule<{ isFirst: boolean }> = {
  ...about,
  id: "dpop.unused",
  title: "The proof is used for the first time",
  message: "The proof was used before; every request needs its own proof.",
  advice: "Sign a new proof for each request, with a new random 'jti'.",
  holds: ({ isFirst }) => isFirst,
  expected: () => "a proof that was not used before",
  came: ({ isFirst }) => isFirst ? "a new one" : "the proof of an earlier request",
};

export const requiredProofIsPresent: Rule<
  { jkt: string | undefined; client: Pick<Client, "dpop"> }
> = {
  ...about,
  id: "dpop.required",
  title: "The request has a proof, if its client must prove a key",
  message: "The tokens of this client must be bound to a key; send a DPoP proof.",
  advice: "Send a DPoP proof with each request of this client.",
  holds: ({ jkt, client }) => jkt !== undefined || client.dpop === "optional",
  expected: ({ client }) => client.dpop === "optional" ? "a proof, or none" : "a proof",
  came: ({ jkt }) => jkt === undefined ? "no proof" : `a proof of the key ${jkt}`,
};

export const boundTokenHasProof: Rule<{ jkt: string | undefined }> = {
  ...about,
  id: "dpop.present",
  title: "The access token comes with a proof, if it is bound to a key",
  message: "The access token is bound to a key, and no DPoP proof came with it.",
  advice: "Send a DPoP proof of the key that the access token was issued for.",
  holds: ({ jkt }) => jkt !== undefined,
  expected: () => "a proof of the key of the access token",
  came: ({ jkt }) => jkt === undefined ? "no proof" : `a proof of the key ${jkt}`,
};

export const pushedKeyIsProven: Rule<
  { requested: string | undefined; proven: string | undefined }
> = {
  ...about,
  id: "dpop.pushed_key",
  title: "The dpop_jkt is the key of the proof",
  see: "RFC 9449, section 10.1",
  parameter: "dpop_jkt",
  message: "The dpop_jkt of the request is not the key of the proof.",
  advice: "Send the thumbprint of the key that signs the proof, or omit the dpop_jkt.",
  holds: ({ requested, proven }) =>
    requested === undefined || proven === undefined || requested === proven,
  expected: ({ proven }) => proven ?? "any key",
  came: ({ requested }) => requested ?? "none",
};

/** Describes a member of a proof, which may be of any type. */
function describeMember(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "none";
}
