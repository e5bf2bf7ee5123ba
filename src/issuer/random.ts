import { base64url } from "jose";

/** Where random bytes come from. */
interface RandomSource {
  settings: { randomBytes: (count: number) => Uint8Array };
}

/** 256 random bits in base64url, for what nobody may guess (OAuth 2.1, section 7.7 asks for 160). */
export function randomSecret({ settings }: RandomSource): string {
  return base64url.encode(settings.randomBytes(32));
}

/** A name that need not be secret, only never be given twice. */
export function randomId({ settings }: RandomSource): string {
  return base64url.encode(settings.randomBytes(16));
}
