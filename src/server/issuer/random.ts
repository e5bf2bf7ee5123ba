import { encodeBase64url } from "../util/bytes/encoding.ts";

/** A source of random bytes. */
export interface RandomSource {
  settings: { randomBytes: (count: number) => Uint8Array };
}

/** Returns 256 random bits in base64url, for secrets (OAuth 2.1, section 7.7, asks for 160). */
export function randomSecret({ settings }: RandomSource): string {
  return encodeBase64url(settings.randomBytes(32));
}

/** Returns an identifier that need not be secret but must be unique. */
export function randomId({ settings }: RandomSource): string {
  return encodeBase64url(settings.randomBytes(16));
}
