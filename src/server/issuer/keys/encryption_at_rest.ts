import { base64url } from "jose";
import { lazily } from "../../util/values/memoize.ts";
import { unreadable, UnreadableStoreError } from "../records/unreadable.ts";

/**
 * Protects keys and secrets against a reader of the store. A text is encrypted for one place, such
 * as `key KID`, and decrypts only there: a writer to the store cannot replace one secret by
 * another.
 */
export interface EncryptionAtRest {
  encrypt(text: string, place: string): Promise<string>;
  decrypt(text: string, place: string): Promise<string>;
  /** Whether a text was stored before there was a secret. */
  isOutdated(text: string): boolean;
}

const encoder = new TextEncoder();
const encryptedMark = "sealed:";
/** How an encrypted text begins, with the version of its form. */
const formMark = `${encryptedMark}2:`;

/** The place of the secret that the server derives others from. */
export const ownSecretPlace = "secret own";

/** Returns the place of a signing key. */
export function keyPlace(kid: string): string {
  return `key ${kid}`;
}

/** Returns the place of a client's secret. */
export function clientSecretPlace(id: string): string {
  return `client ${id}`;
}

/** Whether a stored text is encrypted, in whichever form. */
export function isEncrypted(text: string): boolean {
  return text.startsWith(encryptedMark);
}

/**
 * Encrypts with AES-GCM under a key derived from the secret. Without one, texts are stored as they
 * are.
 */
export function createEncryptionAtRest(secret: string | undefined): EncryptionAtRest {
  if (secret === undefined) {
    return {
      encrypt: async (text) => text,
      decrypt: async (text) => checkUnencrypted(text),
      isOutdated: () => false,
    };
  }
  const key = lazily(() => deriveKey(secret));
  return {
    async encrypt(text, place) {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const algorithm = { name: "AES-GCM", iv, additionalData: encoder.encode(place) };
      const bytes = await crypto.subtle.encrypt(algorithm, await key(), encoder.encode(text));
      return `${formMark}${base64url.encode(iv)}.${base64url.encode(new Uint8Array(bytes))}`;
    },
    async decrypt(text, place) {
      if (!isEncrypted(text)) return text;
      if (!text.startsWith(formMark)) throw unreadable("an encrypted key or secret");
      return await decryptBytes(await key(), text.slice(formMark.length), place).catch(wrongSecret);
    },
    isOutdated: (text) => !isEncrypted(text),
  };
}

async function decryptBytes(key: CryptoKey, text: string, place: string): Promise<string> {
  const [iv = "", bytes = ""] = text.split(".");
  const additionalData = encoder.encode(place);
  const algorithm = { name: "AES-GCM", iv: decodeBase64(iv), additionalData };
  return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, decodeBase64(bytes)));
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(base64url.decode(text));
}

function checkUnencrypted(text: string): string {
  if (!isEncrypted(text)) return text;
  throw new UnreadableStoreError(
    "The store holds encrypted keys; set HALLPASS_SECRET to the secret they were encrypted with.",
  );
}

function wrongSecret(): never {
  throw new UnreadableStoreError(
    "The store's keys were encrypted with another secret than HALLPASS_SECRET, or changed since.",
  );
}

/** HALLPASS_SECRET is documented to be random, so it needs no stretching. */
async function deriveKey(secret: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, [
    "deriveKey",
  ]);
  const info = encoder.encode("hallpass keys at rest");
  return await crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info },
    material,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}
