import { base64url, calculateJwkThumbprint, SignJWT } from "jose";
import type { Context } from "../../../server/issuer/context.ts";
import { randomId } from "../../../server/issuer/random.ts";
import { numericDate } from "../../../server/issuer/time.ts";
import { sha256 } from "../../../server/util/crypto/hash.ts";
import type { DecodedJwt } from "../../recording/credentials.ts";
import { signJwt } from "../../tokens/signed_tokens.ts";
import { type AttackerKey, makeAttackerKey } from "../faults/jwt_forgery.ts";

/** Signs a JWT with what anyone knows as the secret. */
export async function signWithText(
  { header, claims }: DecodedJwt,
  secret: string | Uint8Array,
  alg: "HS256" | "HS512" = "HS256",
): Promise<string> {
  const key = typeof secret === "string" ? new TextEncoder().encode(secret) : secret;
  return await signJwt({ header: { ...header, alg }, claims, key });
}

/** Returns a public key in PEM (RFC 7468, section 13), which libraries take as text. */
export async function toPem(key: CryptoKey): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.exportKey("spki", key));
  const lines = btoa(String.fromCharCode(...bytes)).replace(/.{64}/g, "$&\n").trimEnd();
  return `-----BEGIN PUBLIC KEY-----\n${lines}\n-----END PUBLIC KEY-----`;
}

/** The key that a client of a drill has, and one that it does not have. */
export interface ProofKeys {
  own: AttackerKey;
  other: AttackerKey;
  /** The thumbprint of its key, to which its tokens are bound. */
  jkt: string;
}

export async function makeProofKeys(): Promise<ProofKeys> {
  const [own, other] = await Promise.all([makeAttackerKey("ES256"), makeAttackerKey("ES256")]);
  return { own, other, jkt: await calculateJwkThumbprint(own.publicJwk) };
}

/** What a proof is for (RFC 9449, section 4.2). */
export interface ProofParts {
  key: AttackerKey;
  method: string;
  url: string;
  /** The text whose hash is the `ath`. */
  token: string;
  nonce: string | undefined;
  /** @default now */
  iat?: number | undefined;
}

export async function signProof(ctx: Context, parts: ProofParts): Promise<string> {
  const { key: { publicJwk, privateKey }, method, url, token, nonce, iat } = parts;
  const { alg: _, use: _use, ...jwk } = publicJwk;
  const claims = {
    htm: method,
    htu: url.split(/[?#]/, 1)[0],
    jti: randomId(ctx),
    iat: iat ?? numericDate(ctx),
    ath: await sha256(token),
    ...nonce !== undefined && { nonce },
  };
  return await new SignJWT(claims).setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk })
    .sign(privateKey);
}

/** Encodes a part of a JWT. */
export function encodePart(value: unknown): string {
  return base64url.encode(typeof value === "string" ? value : JSON.stringify(value));
}
