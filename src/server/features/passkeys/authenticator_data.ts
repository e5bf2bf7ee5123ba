import { encodeBase64url } from "../../util/bytes/encoding.ts";

/** What an authenticator states about a ceremony (WebAuthn Level 3, section 6.1). */
export interface AuthenticatorData {
  /** The SHA-256 of the RP ID, in base64url. */
  rpIdHash: string;
  /** Whether the user was there. */
  isUserPresent: boolean;
  /** Whether the user was recognized, by a PIN or a finger. */
  isUserVerified: boolean;
  /** Whether the passkey may be synced to other devices. It never changes. */
  mayBeBackedUp: boolean;
  /** Whether it is synced now. */
  isBackedUp: boolean;
  /** Counts signatures; 0 if the authenticator does not. */
  counter: number;
  /** The id of a new passkey, in base64url. */
  credentialId?: string | undefined;
}

const flags = { present: 0x01, verified: 0x04, eligible: 0x08, backedUp: 0x10, attested: 0x40 };

/** The RP ID hash, the flags and the counter. */
const headerLength = 37;

/** The AAGUID and the length of the credential id, before the id. */
const attestedHeaderLength = 18;

/** Longer ids are refused (WebAuthn Level 3, section 7.1, step 25). */
const maxIdLength = 1023;

/**
 * Reads authenticator data. Returns undefined if it is malformed, or contradicts itself. Of a new
 * passkey, it reads the id at its fixed offset, and none of the CBOR after it.
 */
export function readAuthenticatorData(
  bytes: Uint8Array<ArrayBuffer>,
): AuthenticatorData | undefined {
  if (bytes.length < headerLength) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const set = view.getUint8(32);
  const has = (flag: number) => (set & flag) !== 0;
  const credentialId = has(flags.attested) ? readCredentialId(bytes, view) : undefined;
  if (has(flags.attested) && credentialId === undefined) return undefined;
  // A passkey that may not be synced is not synced (section 6.1.3).
  if (has(flags.backedUp) && !has(flags.eligible)) return undefined;
  return {
    rpIdHash: encodeBase64url(bytes.slice(0, 32)),
    isUserPresent: has(flags.present),
    isUserVerified: has(flags.verified),
    mayBeBackedUp: has(flags.eligible),
    isBackedUp: has(flags.backedUp),
    counter: view.getUint32(33),
    credentialId,
  };
}

function readCredentialId(bytes: Uint8Array, view: DataView): string | undefined {
  const start = headerLength + attestedHeaderLength;
  if (bytes.length < start) return undefined;
  const length = view.getUint16(start - 2);
  if (length === 0 || length > maxIdLength || bytes.length < start + length) return undefined;
  return encodeBase64url(bytes.slice(start, start + length));
}
