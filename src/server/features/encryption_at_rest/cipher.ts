import { base64url } from "jose";
import { type Cipher, encryptedMark, isEncrypted } from "../../issuer/keys/cipher.ts";
import { unreadable, UnreadableStoreError } from "../../store/store_errors.ts";
import { lazily } from "../../util/values/memoize.ts";

const encoder = new TextEncoder();
/** How an encrypted text begins, with the version of its form. */
const formMark = `${encryptedMark}2:`;

/** Encrypts with AES-GCM under a key derived from the secret. */
export function createCipher(secret: string): Cipher {
  const key = lazily(() => deriveKey(secret));
  return {
    isSecret: true,
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
    withSecret: createCipher,
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
