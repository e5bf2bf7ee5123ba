import {
  calculateJwkThumbprint,
  decodeProtectedHeader,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  type ProtectedHeaderParameters,
} from "jose";
import { minute } from "../util/duration.ts";
import { messageOf } from "../util/error_message.ts";
import { sha256 } from "../util/hash.ts";
import { isCostlyKey, isPrivateKey, keyFitsAlgorithm } from "./client_key.ts";
import { isJwtType } from "./jwt.ts";
import { type ErrorFactory, errorFactory } from "./oauth_error.ts";

/** How far the clock of a client may be from ours, in seconds. */
const clockTolerance = 1 * minute;

const maxProofLength = 8 * 1024;

export const invalidDpopProof: ErrorFactory = errorFactory(
  "invalid_dpop_proof",
  "RFC 9449, section 4.3",
);

/**
 * An algorithm that can sign a DPoP proof: asymmetric, and never `none` (RFC 9449, section 4.2).
 */
export type DpopAlgorithm = "ES256" | "PS256" | "EdDSA" | "Ed25519" | "RS256";

export const dpopAlgorithms: readonly DpopAlgorithm[] = [
  "ES256",
  "PS256",
  "EdDSA",
  "Ed25519",
  "RS256",
];

/** What a proof must match. */
export interface DpopRequest {
  method: string;
  /** The URLs by which clients know the endpoint, never the URL that the request claims. */
  urls: readonly string[];
  algs: readonly string[];
  /** In milliseconds. */
  now: number;
  /** The access token of the request, if it has one. */
  token?: BoundAccessToken | undefined;
}

/** An access token and the thumbprint of the key that it is bound to. */
export interface BoundAccessToken {
  text: string;
  jkt: string;
}

/**
 * A valid proof. The receiver still decides whether it is a replay, and whether its nonce is ours.
 */
export interface DpopProof {
  /** The thumbprint of the sender's key (RFC 7638). */
  jkt: string;
  /** Identifies the proof, to detect a replay. */
  id: string;
  nonce?: string | undefined;
  /** Until when it could be replayed, in milliseconds. */
  usableUntil: number;
}

/** Checks the DPoP header of a request (RFC 9449, section 4.3). */
export async function checkDpopProof(header: string, request: DpopRequest): Promise<DpopProof> {
  const { alg, jwk } = readHeader(header, request.algs);
  const { htm, htu, iat, jti, ath, nonce } = await verify(header, alg, jwk, request.now);
  if (typeof jti !== "string" || jti === "") throw invalidDpopProof("The proof has no 'jti'.");
  if (htm !== request.method) {
    throw invalidDpopProof(`The 'htm' of the proof must be '${request.method}'.`);
  }
  const url = typeof htu === "string" ? normalize(htu) : undefined;
  if (url === undefined || !request.urls.some((own) => normalize(own) === url)) {
    throw invalidDpopProof(
      `The 'htu' of the proof must be the URL of the request, ${request.urls.join(" or ")}.`,
    );
  }
  const issuedAt = checkTime(iat, request.now);
  const jkt = await calculateJwkThumbprint(jwk);
  if (request.token) await checkToken(request.token, ath, jkt);
  return {
    jkt,
    id: await sha256(`${jkt}\n${url}\n${jti}`),
    nonce: typeof nonce === "string" ? nonce : undefined,
    usableUntil: (issuedAt + clockTolerance + 1) * 1000,
  };
}

function readHeader(proof: string, algs: readonly string[]): { alg: string; jwk: JWK } {
  if (proof.includes(",")) throw invalidDpopProof("The request has more than one DPoP header.");
  if (proof.length > maxProofLength) {
    throw invalidDpopProof(`The proof is longer than ${maxProofLength} characters.`);
  }
  const { typ, alg, jwk } = decodeHeader(proof);
  if (!isJwtType(typ, ["dpop+jwt"])) {
    throw invalidDpopProof("The 'typ' of the proof must be 'dpop+jwt'.");
  }
  if (alg === undefined || !algs.includes(alg)) {
    throw invalidDpopProof(`The 'alg' of the proof must be one of: ${algs.join(", ")}.`);
  }
  if (typeof jwk !== "object" || jwk === null) {
    throw invalidDpopProof("The header of the proof must contain the public key as 'jwk'.");
  }
  if (isPrivateKey(jwk)) {
    throw invalidDpopProof(
      "The 'jwk' of the proof is a private key. It is no longer secret; replace it.",
    );
  }
  if (!keyFitsAlgorithm(jwk, alg)) {
    throw invalidDpopProof(`The 'jwk' of the proof is not a key for ${alg}.`);
  }
  if (isCostlyKey(jwk)) throw invalidDpopProof("The 'jwk' of the proof is too large an RSA key.");
  return { alg, jwk };
}

function decodeHeader(proof: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(proof);
  } catch {
    throw invalidDpopProof("The DPoP header is not a JWT.");
  }
}

/** Verifies the signature, and `exp` and `nbf` if present. */
async function verify(proof: string, alg: string, jwk: JWK, now: number): Promise<JWTPayload> {
  try {
    const options = { algorithms: [alg], currentDate: new Date(now), clockTolerance };
    return (await jwtVerify(proof, await importJWK(jwk, alg), options)).payload;
  } catch (cause) {
    throw invalidDpopProof(`The proof cannot be verified with its own key: ${messageOf(cause)}.`);
  }
}

/** Checks the `iat` and returns it. */
function checkTime(iat: unknown, now: number): number {
  if (typeof iat !== "number") throw invalidDpopProof("The proof has no 'iat'.");
  const age = now / 1000 - iat;
  if (Math.abs(age) <= clockTolerance) return iat;
  const distance = `${Math.round(Math.abs(age))} seconds in the ${age > 0 ? "past" : "future"}`;
  throw invalidDpopProof(
    `The 'iat' of the proof is ${distance}. At most ${clockTolerance} seconds are allowed.`,
  );
}

async function checkToken(token: BoundAccessToken, ath: unknown, jkt: string): Promise<void> {
  if (ath !== await sha256(token.text)) {
    throw invalidDpopProof("The 'ath' of the proof is not the SHA-256 of the access token.");
  }
  if (jkt !== token.jkt) {
    throw invalidDpopProof("The access token is bound to a different key than that of the proof.");
  }
}

/**
 * Normalizes a URL and removes its query and fragment (RFC 3986, sections 6.2.2 and 6.2.3). User
 * information is always written, so that it makes a difference.
 */
function normalize(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const path = url.pathname.replace(/%[0-9A-Fa-f]{2}/g, (escaped) => {
    const character = String.fromCharCode(parseInt(escaped.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escaped.toUpperCase();
  });
  return `${url.protocol}//${url.username}:${url.password}@${url.host}${path}`;
}
