import {
  base64url,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from "jose";
import type { Context } from "../../../server/issuer/context.ts";
import { randomId } from "../../../server/issuer/random.ts";
import { numericDate } from "../../../server/issuer/time.ts";
import { sha256 } from "../../../server/util/crypto/hash.ts";
import type { DecodedJwt } from "../../recording/credentials.ts";
import { attackerRsaKey } from "../../tokens/keys/baked_keys.ts";
import { signJwt } from "../../tokens/signed_tokens.ts";

/** A key that is not the server's, for an algorithm of the server. */
export interface OwnKey {
  publicJwk: JWK;
  privateKey: CryptoKey;
}

/** Makes a key with which an attacker signs. Making an RSA key takes too long. */
export async function makeOwnKey(alg: string): Promise<OwnKey> {
  if (/^[RP]S/.test(alg)) {
    const { kty, n, e } = attackerRsaKey;
    const privateKey = await importJWK({ ...attackerRsaKey, alg }) as CryptoKey;
    return { publicJwk: { kty, n, e, alg, use: "sig" } as JWK, privateKey };
  }
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { publicJwk: { ...await exportJWK(publicKey), alg, use: "sig" }, privateKey };
}

/** Signs a JWT with HS256, with a text that anyone knows as the secret. */
export async function signWithText({ header, claims }: DecodedJwt, text: string): Promise<string> {
  return await signJwt({
    header: { ...header, alg: "HS256" },
    claims,
    key: new TextEncoder().encode(text),
  });
}

/** Returns a public key in PEM (RFC 7468, section 13), which libraries take as text. */
export async function toPem(key: CryptoKey): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.exportKey("spki", key));
  const lines = btoa(String.fromCharCode(...bytes)).replace(/.{64}/g, "$&\n").trimEnd();
  return `-----BEGIN PUBLIC KEY-----\n${lines}\n-----END PUBLIC KEY-----`;
}

/** The key that a client of a drill has, and one that it does not have. */
export interface ProofKeys {
  own: OwnKey;
  other: OwnKey;
  /** The thumbprint of its key, to which its tokens are bound. */
  jkt: string;
}

export async function makeProofKeys(): Promise<ProofKeys> {
  const [own, other] = await Promise.all([makeOwnKey("ES256"), makeOwnKey("ES256")]);
  return { own, other, jkt: await calculateJwkThumbprint(own.publicJwk) };
}

/** What a proof is for (RFC 9449, section 4.2). */
export interface ProofParts {
  key: OwnKey;
  method: string;
  url: string;
  /** The text whose hash is the `ath`. */
  token: string;
  nonce: string | undefined;
  /** @default now */
  iat?: number | undefined;
}

/** Signs a DPoP proof. */
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
