import {
  calculateJwkThumbprint,
  decodeProtectedHeader,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  type ProtectedHeaderParameters,
} from "jose";
import { sha256 } from "../util/hash.ts";
import { isOfTypeFor, isPrivateKey } from "./client_key.ts";
import { isJwtType } from "./jwt_type.ts";
import { OAuthError } from "./oauth_error.ts";

/** The algorithms that can sign a proof: asymmetric ones, `none` is not among them (RFC 9449, section 4.2). */
export const dpopAlgorithms = ["ES256", "PS256", "EdDSA", "Ed25519", "RS256"] as const;

export type DpopAlgorithm = (typeof dpopAlgorithms)[number];

/** The request that a proof comes with, and what there is to hold it against. */
export interface DpopRequest {
  method: string;
  /** The addresses by which clients know the endpoint, never what the request claims. */
  urls: readonly string[];
  algs: readonly string[];
  /** In milliseconds. */
  now: number;
  /** The access token that comes along, if one does, and the key that it is bound to. */
  token?: { text: string; jkt: string };
}

/** A proof that is in order. Whether it was sent before, and whether its nonce is one of ours, is for the receiver to say. */
export interface DpopProof {
  /** The thumbprint of the key that the sender holds (RFC 7638). */
  jkt: string;
  /** Two requests with the same one carry the same proof. */
  id: string;
  nonce?: string;
  /** Until when it can be sent, in milliseconds. */
  usableUntil: number;
}

/** How far the clock of a client may be from ours, in seconds. */
const clockTolerance = 60;

const maxProofLength = 8 * 1024;

const section = "RFC 9449, section 4.3";

/** Checks the DPoP header of a request, step by step (RFC 9449, section 4.3). */
export async function checkDpopProof(header: string, request: DpopRequest): Promise<DpopProof> {
  const { alg, jwk } = readHeader(header, request.algs);
  const { htm, htu, iat, jti, ath, nonce } = await verify(header, alg, jwk, request.now);
  if (typeof jti !== "string" || jti === "") throw invalidDpopProof("The proof has no 'jti'.");
  if (htm !== request.method) {
    throw invalidDpopProof(
      `The 'htm' of the proof is not '${request.method}', the method of the request.`,
    );
  }
  const url = typeof htu === "string" ? normalize(htu) : undefined;
  if (url === undefined || !request.urls.some((own) => normalize(own) === url)) {
    throw invalidDpopProof(
      `The 'htu' of the proof is not the address of the request, ${request.urls.join(" or ")}.`,
    );
  }
  checkTime(iat, request.now);
  const jkt = await calculateJwkThumbprint(jwk);
  if (request.token) await checkToken(request.token, ath, jkt);
  return {
    jkt,
    id: await sha256(`${jkt}\n${url}\n${jti}`),
    nonce: typeof nonce === "string" ? nonce : undefined,
    usableUntil: (Number(iat) + clockTolerance + 1) * 1000,
  };
}

export function invalidDpopProof(message: string): OAuthError {
  return new OAuthError("invalid_dpop_proof", message, { see: section });
}

function readHeader(proof: string, algs: readonly string[]): { alg: string; jwk: JWK } {
  if (proof.includes(",")) throw invalidDpopProof("There is more than one DPoP header.");
  if (proof.length > maxProofLength) {
    throw invalidDpopProof(`The proof is longer than ${maxProofLength} characters.`);
  }
  const { typ, alg, jwk } = decodeHeader(proof);
  if (!isJwtType(typ, ["dpop+jwt"])) {
    throw invalidDpopProof("The 'typ' of the proof is not 'dpop+jwt'.");
  }
  if (alg === undefined || !algs.includes(alg)) {
    throw invalidDpopProof(`The proof is signed with none of: ${algs.join(", ")}.`);
  }
  if (typeof jwk !== "object" || jwk === null) {
    throw invalidDpopProof("The header of the proof holds no public key, 'jwk'.");
  }
  if (isPrivateKey(jwk)) {
    throw invalidDpopProof(
      "The 'jwk' of the proof is a private key; whoever saw it can use it now.",
    );
  }
  if (!isOfTypeFor(jwk, alg)) {
    throw invalidDpopProof(`The 'jwk' of the proof is no key for ${alg}.`);
  }
  return { alg, jwk };
}

function decodeHeader(proof: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(proof);
  } catch {
    throw invalidDpopProof("The DPoP header is not a JWT.");
  }
}

/** Beside the signature, an `exp` or `nbf` is minded where there is one. */
async function verify(proof: string, alg: string, jwk: JWK, now: number): Promise<JWTPayload> {
  try {
    const options = { algorithms: [alg], currentDate: new Date(now), clockTolerance };
    return (await jwtVerify(proof, await importJWK(jwk, alg), options)).payload;
  } catch (cause) {
    throw invalidDpopProof(
      `The proof does not hold by its own key: ${
        cause instanceof Error ? cause.message : "it is malformed"
      }.`,
    );
  }
}

function checkTime(iat: unknown, now: number): void {
  if (typeof iat !== "number") throw invalidDpopProof("The proof has no 'iat'.");
  const age = now / 1000 - iat;
  if (Math.abs(age) <= clockTolerance) return;
  throw invalidDpopProof(
    `The 'iat' of the proof lies ${Math.round(Math.abs(age))} seconds in the ${
      age > 0 ? "past" : "future"
    }, more than ${clockTolerance}.`,
  );
}

async function checkToken(
  { text, jkt }: { text: string; jkt: string },
  ath: unknown,
  ofProof: string,
): Promise<void> {
  if (ath !== await sha256(text)) {
    throw invalidDpopProof("The 'ath' of the proof is not the SHA-256 of the access token.");
  }
  if (ofProof !== jkt) {
    throw invalidDpopProof("The access token is bound to another key than the one of the proof.");
  }
}

/** The same address in one spelling, without query and fragment (RFC 3986, sections 6.2.2 and 6.2.3). */
function normalize(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const path = url.pathname.replace(/%[0-9A-Fa-f]{2}/g, (escaped) => {
    const character = String.fromCharCode(parseInt(escaped.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escaped.toUpperCase();
  });
  return `${url.protocol}//${url.username && `${url.username}@`}${url.host}${path}`;
}
