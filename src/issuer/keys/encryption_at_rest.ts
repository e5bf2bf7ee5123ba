import { base64url } from "jose";

/**
 * Makes what the store must be able to give back unreadable to someone who reads the store alone. What is sealed for one place,
 * such as `key KID`, opens only there: someone who can write to the store cannot put one secret in the place of another.
 */
export interface EncryptionAtRest {
  encrypt(text: string, place: string): Promise<string>;
  decrypt(sealed: string, place: string): Promise<string>;
  /** Whether a text is to be sealed anew: there was no secret when it was stored, or no place. */
  isOutdated(text: string): boolean;
}

/** With a secret: AES-GCM under a key derived from it. Without: the text itself. */
export function createEncryptionAtRest(secret: string | undefined): EncryptionAtRest {
  if (secret === undefined) {
    return {
      encrypt: async (text) => text,
      decrypt: async (text) => secretMissing(text),
      isOutdated: () => false,
    };
  }
  const key = deriveKey(secret);
  return {
    async encrypt(text, place) {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const algorithm = { name: "AES-GCM", iv, additionalData: encoder.encode(place) };
      const bytes = await crypto.subtle.encrypt(algorithm, await key, encoder.encode(text));
      return `${placedMark}${base64url.encode(iv)}.${base64url.encode(new Uint8Array(bytes))}`;
    },
    async decrypt(sealed, place) {
      if (!sealed.startsWith(mark)) return sealed;
      const isPlaced = sealed.startsWith(placedMark);
      const parts = sealed.slice((isPlaced ? placedMark : mark).length).split(".");
      const [iv, bytes] = parts.map((part) => new Uint8Array(base64url.decode(part)));
      const algorithm = {
        name: "AES-GCM",
        iv,
        ...isPlaced && { additionalData: encoder.encode(place) },
      };
      return new TextDecoder().decode(
        await crypto.subtle.decrypt(algorithm, await key, bytes).catch(wrongSecret),
      );
    },
    isOutdated: (text) => !text.startsWith(placedMark),
  };
}

const encoder = new TextEncoder();
const mark = "sealed:";
/** What begins with the other mark alone was sealed for no place, by an earlier version. */
const placedMark = `${mark}2:`;

function secretMissing(text: string): string {
  if (text.startsWith(mark)) {
    throw new Error(
      "The store holds sealed keys; set HALLPASS_SECRET to the secret they were sealed with.",
    );
  }
  return text;
}

function wrongSecret(): never {
  throw new Error(
    "The store's keys were sealed with another secret than the one that HALLPASS_SECRET holds, or were changed since.",
  );
}

/** The secret is a random one, as HALLPASS_SECRET asks for, and needs no stretching. */
async function deriveKey(secret: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(secret),
    "HKDF",
    false,
    ["deriveKey"],
  );
  const info = new TextEncoder().encode("hallpass keys at rest");
  return await crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info },
    material,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}
