import { base64url, calculateJwkThumbprint, type CryptoKey, type JWK, SignJWT } from "jose";
import { createHash } from "node:crypto";
import { startOfTime } from "./flow_kit.ts";
import { makeKeyPair } from "./key_pairs.ts";

/** A key that a client proves to possess. */
export interface ProofKey {
  alg: string;
  privateKey: CryptoKey;
  jwk: JWK;
  privateJwk: JWK;
  jkt: string;
}

/** What a test changes about a proof; an undefined header or claim is left out. */
export interface ProofChanges {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  /** The access token that the proof comes with. */
  token?: string;
  /** The time of the proof, in milliseconds. */
  now?: number;
}

const keys = new Map<string, Promise<ProofKey>>();

/** Returns the key of a name, which begins with the algorithm: "ES256", "ES256 another". */
export function proofKey(name = "ES256"): Promise<ProofKey> {
  const key = keys.get(name) ?? makeKey(name.replace(/ .*/, ""));
  keys.set(name, key);
  return key;
}

async function makeKey(alg: string): Promise<ProofKey> {
  const { privateKey, privateJwk, publicJwk: jwk } = await makeKeyPair(alg);
  return { alg, privateKey, privateJwk, jwk, jkt: await calculateJwkThumbprint(jwk) };
}

/** Makes a valid proof, with a test's changes. */
export async function makeProof(
  key: ProofKey,
  method: string,
  url: string,
  changes: ProofChanges = {},
): Promise<string> {
  const { header = {}, claims = {}, token, now = startOfTime } = changes;
  const all = {
    jti: base64url.encode(crypto.getRandomValues(new Uint8Array(12))),
    htm: method,
    htu: url,
    iat: Math.floor(now / 1000),
    ath: token && createHash("sha256").update(token).digest("base64url"),
    ...claims,
  };
  return await new SignJWT(defined(all)).setProtectedHeader(
    defined({ typ: "dpop+jwt", alg: key.alg, jwk: key.jwk, ...header }) as { alg: string },
  )
    .sign(key.privateKey);
}

function defined(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
