import { base64url } from "jose";

const encoder = new TextEncoder();

/** The part of Node's crypto module that is used where the runtime has it (Node, Bun, Deno). */
interface NativeCrypto {
  hash?(name: string, text: string, encoding: "base64url"): string;
}

/**
 * WebCrypto would do everywhere, but it makes a trip to another thread for each hash of a few bytes;
 * a flow has eight of them, and with the synchronous one it costs a fifth less.
 */
const native = (globalThis as { process?: { getBuiltinModule?(name: string): NativeCrypto } })
  .process?.getBuiltinModule?.("crypto");
const hash = native?.hash;

/** SHA-256 of a text, in base64url. */
export async function sha256(text: string): Promise<string> {
  if (hash) return hash("sha256", text, "base64url");
  return base64url.encode(await digest("SHA-256", text));
}

/** Whether a text is as long, and made of the same characters, as a SHA-256 in base64url. */
export function isSha256(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

export async function digest(algorithm: "SHA-256" | "SHA-512", text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest(algorithm, encoder.encode(text)));
}

/** HMAC-SHA-256 of a text, in base64url. */
export async function hmacSha256(key: CryptoKey, text: string): Promise<string> {
  return base64url.encode(
    new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text))),
  );
}

/** Compares in a time that does not depend on where two texts differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}

/** Whether a secret is the one of a SHA-256. Without a hash it is not, and the answer takes as long: nobody learns who has one. */
export async function matchesHash(secret: string, hash = hashOfNothing): Promise<boolean> {
  return equalInConstantTime(await sha256(secret), hash);
}

/** As long as a SHA-256 in base64url, and the hash of no text. */
const hashOfNothing = "-".repeat(43);
