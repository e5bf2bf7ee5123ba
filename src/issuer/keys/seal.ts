import { base64url } from "jose";

/** Makes what the store must be able to give back unreadable to whoever reads the store alone. */
export interface Seal {
  close(text: string): Promise<string>;
  open(sealed: string): Promise<string>;
  /** Whether a text was stored before there was a secret to seal it with. */
  isOpen(text: string): boolean;
}

/** With a secret: AES-GCM under a key derived from it. Without: the text itself. */
export function createSeal(secret: string | undefined): Seal {
  if (secret === undefined) return { close: async (text) => text, open: async (text) => refuseSealed(text), isOpen: () => false };
  const key = deriveKey(secret);
  return {
    async close(text) {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const bytes = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await key, new TextEncoder().encode(text));
      return `${mark}${base64url.encode(iv)}.${base64url.encode(new Uint8Array(bytes))}`;
    },
    async open(sealed) {
      if (!sealed.startsWith(mark)) return sealed;
      const [iv, bytes] = sealed.slice(mark.length).split(".").map((part) => new Uint8Array(base64url.decode(part)));
      return new TextDecoder().decode(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, await key, bytes).catch(wrongSecret));
    },
    isOpen: (text) => !text.startsWith(mark),
  };
}

const mark = "sealed:";

function refuseSealed(text: string): string {
  if (text.startsWith(mark)) throw new Error("The store holds sealed keys; set HALLPASS_SECRET to the secret they were sealed with.");
  return text;
}

function wrongSecret(): never {
  throw new Error("The store's keys were sealed with another secret than the one that HALLPASS_SECRET holds.");
}

/** The secret is a random one, as HALLPASS_SECRET asks for, and needs no stretching. */
async function deriveKey(secret: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), "HKDF", false, ["deriveKey"]);
  const info = new TextEncoder().encode("hallpass keys at rest");
  return await crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info },
    material,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}
