import { base64url } from "jose";

const encoder = new TextEncoder();

/** SHA-256 of a text, in base64url. */
export async function sha256(text: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text))));
}

/** HMAC-SHA-256 of a text, in base64url. */
export async function hmacSha256(key: CryptoKey, text: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text))));
}

/** Compares without telling, by the time it takes, where two texts differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}
