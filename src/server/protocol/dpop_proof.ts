import {
  calculateJwkThumbprint,
  decodeProtectedHeader,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyOptions,
  type ProtectedHeaderParameters,
} from "jose";
import { sha256 } from "../util/crypto/hash.ts";
import { messageOf } from "../util/text/error_message.ts";
import { dpop, maxProofAge } from "./dpop_rules.ts";
import { type ApplyRule, requirePresent, requireValue } from "./rule.ts";

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
  token?: { text: string; jkt: string } | undefined;
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
export async function checkDpopProof(
  apply: ApplyRule,
  header: string,
  request: DpopRequest,
): Promise<DpopProof> {
  const { alg, jwk } = readHeader(apply, header, request.algs);
  const { htm, htu, iat, jti, ath, nonce } = await verify(apply, header, { alg, jwk }, request.now);
  const proofId = requirePresent(apply, dpop.jti, textOrNone(jti));
  const { method, urls, now, token } = request;
  apply(dpop.htm, { received: htm, expected: method });
  const url = normalize(textOrNone(htu));
  const isThis = url !== undefined && urls.some((own) => normalize(own) === url);
  apply(dpop.htu, { received: htu, expected: urls, isThis });
  const issuedAt = requirePresent(apply, dpop.iat, typeof iat === "number" ? iat : undefined);
  apply(dpop.fresh, { age: now / 1000 - issuedAt });
  const jkt = await calculateJwkThumbprint(jwk);
  if (token) {
    apply(dpop.ath, { received: ath, expected: await sha256(token.text) });
    apply(dpop.token_key, { received: jkt, expected: token.jkt });
  }
  return {
    jkt,
    id: await sha256(`${jkt}\n${url}\n${proofId}`),
    nonce: textOrNone(nonce),
    usableUntil: (issuedAt + maxProofAge + 1) * 1000,
  };
}

/** The algorithm and the public key of a proof. */
interface ProofHeader {
  alg: string;
  jwk: JWK;
}

function readHeader(apply: ApplyRule, proof: string, algs: readonly string[]): ProofHeader {
  apply(dpop.one, proof);
  apply(dpop.length, proof);
  const { typ, alg: named, jwk: sent } = requirePresent(apply, dpop.jwt, decodeHeader(proof));
  apply(dpop.typ, typ);
  const alg = requireValue(apply, dpop.alg, { received: named, expected: algs }, named);
  const key = typeof sent === "object" ? sent ?? undefined : undefined;
  const jwk = requirePresent(apply, dpop.jwk, key);
  apply(dpop.public_key, jwk);
  apply(dpop.key_type, { jwk, alg });
  apply(dpop.key_size, jwk);
  return { alg, jwk };
}

function decodeHeader(proof: string): ProtectedHeaderParameters | undefined {
  try {
    return decodeProtectedHeader(proof);
  } catch {
    return undefined;
  }
}

/** Verifies the signature, and `exp` and `nbf` if present. */
async function verify(
  apply: ApplyRule,
  proof: string,
  { alg, jwk }: ProofHeader,
  now: number,
): Promise<JWTPayload> {
  const options = { algorithms: [alg], currentDate: new Date(now), clockTolerance: maxProofAge };
  const { payload, problem } = await verifyWithKey(proof, { alg, jwk }, options);
  return requireValue(apply, dpop.signature, { problem }, payload);
}

async function verifyWithKey(
  proof: string,
  { alg, jwk }: ProofHeader,
  options: JWTVerifyOptions,
): Promise<{ payload?: JWTPayload; problem?: string }> {
  try {
    return await jwtVerify(proof, await importJWK(jwk, alg), options);
  } catch (cause) {
    return { problem: messageOf(cause) };
  }
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/**
 * Normalizes a URL and removes its query and fragment (RFC 3986, sections 6.2.2 and 6.2.3). User
 * information is always written, so that it makes a difference.
 */
function normalize(address = ""): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const path = url.pathname.replace(/%[0-9A-Fa-f]{2}/g, (escaped) => {
    const character = String.fromCharCode(parseInt(escaped.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escaped.toUpperCase();
  });
  return `${url.protocol}//${url.username}:${url.password}@${url.host}${path}`;
}
