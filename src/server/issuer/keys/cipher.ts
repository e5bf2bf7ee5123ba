import { UnreadableStoreError } from "../../store/store_errors.ts";

/**
 * Turns keys and secrets into what the store has of them, and back. A text can be read only in its
 * place, such as `key KID`: a writer to the store cannot replace one secret by another.
 */
export interface Cipher {
  /** Whether a reader of the store learns nothing from its texts. */
  readonly isSecret: boolean;
  encrypt(text: string, place: string): Promise<string>;
  decrypt(text: string, place: string): Promise<string>;
  /** Whether a text was stored before there was a secret. */
  isOutdated(text: string): boolean;
  /** Returns the same for another secret. */
  withSecret(secret: string): Cipher;
}

/** How every encrypted text begins. */
export const encryptedMark = "sealed:";

/** The place of the secret that the server derives others from. */
export const ownSecretPlace = "secret own";

export function keyPlace(kid: string): string {
  return `key ${kid}`;
}

export function clientSecretPlace(id: string): string {
  return `client ${id}`;
}

/** Whether a stored text is encrypted, in whichever form. */
export function isEncrypted(text: string): boolean {
  return text.startsWith(encryptedMark);
}

/** Stores texts as they are. It refuses encrypted ones, and never takes them for plain. */
export const plainTexts: Cipher = {
  isSecret: false,
  encrypt: async (text) => text,
  decrypt: async (text) => checkUnencrypted(text),
  isOutdated: () => false,
  withSecret: () => plainTexts,
};

function checkUnencrypted(text: string): string {
  if (!isEncrypted(text)) return text;
  throw new UnreadableStoreError(
    "The store holds encrypted keys; set HALLPASS_SECRET to the secret they were encrypted with.",
  );
}
