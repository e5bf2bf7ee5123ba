import { base64url } from "jose";

/** 256 random bits in base64url: what nobody can guess (OAuth 2.1, section 7.7 asks for 160). */
export function randomSecret(): string {
  return randomText(32);
}

/** A name that need not be secret, only never given twice. */
export function randomId(): string {
  return randomText(16);
}

function randomText(bytes: number): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(bytes)));
}
