import { base64url } from "jose";
import { encodeBase64url, encodeUtf8 } from "../bytes/encoding.ts";
import { type NativeCrypto, nativeCrypto } from "./native_crypto.ts";

/** Has the length of a SHA-256 in base64url, and is the hash of no text. */
export const impossibleHash = "-".repeat(43);

/** A flow computes eight hashes, and costs a fifth less with the synchronous function. */
const nativeHash = nativeCrypto.hash;

/** Returns the SHA-256 of a text in base64url, at once where the runtime can. */
export function sha256(text: string): string | Promise<string> {
  if (nativeHash) return nativeHash("sha256", text, "base64url");
  return digest("SHA-256", text).then(encodeBase64url);
}

/**
 * Returns the left half of the hash of a token or code, which binds an ID token to it (OpenID Connect
 * Core, sections 3.1.3.6 and 3.3.2.11). Ed25519 uses SHA-512 (RFC 8032, section 5.1).
 */
export async function leftHalf(token: string, alg: unknown): Promise<string> {
  const hash = base64url.decode(await (alg === "EdDSA" ? sha512(token) : sha256(token)));
  return encodeBase64url(hash.slice(0, hash.length / 2));
}

function sha512(text: string): string | Promise<string> {
  if (nativeHash) return nativeHash("sha512", text, "base64url");
  return digest("SHA-512", text).then(encodeBase64url);
}

export async function sha256OfBytes(bytes: Uint8Array): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes));
  return encodeBase64url(new Uint8Array(hash));
}

/** Whether a text has the form of a SHA-256 in base64url. */
export function isSha256(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

export async function digest(algorithm: "SHA-256" | "SHA-512", text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest(algorithm, encodeUtf8(text)));
}

/** Computes the HMAC-SHA-256 of a text in base64url. */
export type Hmac = (text: string) => string | Promise<string>;

/** Creates the function that computes an HMAC-SHA-256 with a key. */
export async function createHmac(
  key: string,
  { createHmac: createNativeHmac }: NativeCrypto = nativeCrypto,
): Promise<Hmac> {
  if (createNativeHmac) {
    return (text) => createNativeHmac("sha256", key).update(text).digest("base64url");
  }
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const bytes = encodeUtf8(key);
  const webKey = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  return async (text) => {
    const signature = await crypto.subtle.sign("HMAC", webKey, encodeUtf8(text));
    return encodeBase64url(new Uint8Array(signature));
  };
}

/** Compares two texts in a time that does not depend on where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

/**
 * Whether a secret has the given SHA-256. Without a hash the result is false after the same time,
 * so the timing does not reveal which clients have a secret.
 */
export async function matchesHash(secret: string, hash: string = impossibleHash): Promise<boolean> {
  return equalInConstantTime(await sha256(secret), hash);
}

/** Returns a short hash of a text (FNV-1a). It proves nothing: any text can be made to fit it. */
export function shortHash(content: string | Uint8Array): string {
  let hash = 0x811c9dc5;
  const bytes = typeof content === "string" ? encodeUtf8(content) : content;
  for (const byte of bytes) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash.toString(36);
}
