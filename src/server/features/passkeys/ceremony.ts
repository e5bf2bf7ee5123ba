import { base64url } from "jose";
import { decodeUtf8, encodeBase64url } from "../../util/bytes/encoding.ts";
import { sha256 } from "../../util/crypto/hash.ts";
import { isObject, parseJson } from "../../util/text/json.ts";
import { type AuthenticatorData, readAuthenticatorData } from "./authenticator_data.ts";
import {
  importPasskey,
  isSignedBy,
  type PasskeyAlgorithm,
  passkeyAlgorithms,
} from "./passkey_keys.ts";

/** What a registration proves, and decides about assertions. */
export interface ProvenPasskey {
  /** The credential id, in base64url. */
  id: string;
  /** The public key as SPKI, in base64url. */
  publicKey: string;
  algorithm: PasskeyAlgorithm;
  /** The host that it was made for. */
  rpId: string;
  counter: number;
  mayBeBackedUp: boolean;
  isBackedUp: boolean;
  /** How browsers reach the authenticator. */
  transports: string[];
}

/** Why a ceremony failed, for the log; or what it proved. */
export type Proven<Result> = { problem: string } | { problem?: undefined } & Result;

/** A response of a browser, with its parts as texts. */
export interface CeremonyResponse {
  id: string;
  /** What the browser states, as the authenticator signed it. */
  clientData: Uint8Array<ArrayBuffer>;
  /** The challenge that the browser got, in base64url. */
  challenge: string;
  members: Readonly<Record<string, unknown>>;
  type: unknown;
  origin: unknown;
  crossOrigin: unknown;
}

/** Longer texts are no response of an authenticator. */
const maxLength = 20_000;

/** The transports of WebAuthn Level 3, section 5.8.4. Others are not stored. */
const knownTransports = ["usb", "nfc", "ble", "smart-card", "hybrid", "internal"];

/** Reads the JSON of a registration or an assertion (WebAuthn Level 3, section 5.1). */
export function readCeremonyResponse(text: string): CeremonyResponse | undefined {
  const json = text.length <= maxLength ? parseJson(text) : undefined;
  if (!isObject(json) || !isObject(json.response) || json.type !== "public-key") return undefined;
  const { id, rawId, response: members } = json;
  const clientData = readBytes(members.clientDataJSON);
  const stated = clientData && parseJson(decodeUtf8(clientData) ?? "");
  if (typeof id !== "string" || id !== rawId || !clientData || !isObject(stated)) return undefined;
  const { challenge, type, origin, crossOrigin } = stated;
  if (typeof challenge !== "string") return undefined;
  return { id, clientData, challenge, members, type, origin, crossOrigin };
}

/**
 * Verifies a registration with attestation `none` (WebAuthn Level 3, section 7.1). Its challenge is
 * checked elsewhere. The browser reads the key out of the attestation object: who lies about it
 * only registers a key that their own authenticator cannot sign with.
 */
export async function verifyRegistration(
  response: CeremonyResponse,
  { origin, rpId }: { origin: string; rpId: string },
): Promise<Proven<{ passkey: ProvenPasskey }>> {
  const { members, id } = response;
  const data = readData(response);
  const problem = await ceremonyProblem(response, data, "webauthn.create", origin, rpId);
  if (problem !== undefined || !data) return { problem: problem ?? "malformed" };
  if (data.credentialId !== id) return { problem: "the authenticator names another credential" };
  const { publicKeyAlgorithm, publicKey, transports } = members;
  const algorithm = passkeyAlgorithms.find((each) => each === publicKeyAlgorithm);
  const spki = readBytes(publicKey);
  const key = algorithm && spki && await importPasskey(spki, algorithm);
  if (!algorithm || !spki || !key) return { problem: "no key of an accepted algorithm" };
  const { counter, mayBeBackedUp, isBackedUp } = data;
  const named = Array.isArray(transports) ? transports : [];
  const passkey = {
    ...{ id, publicKey: encodeBase64url(spki), algorithm, rpId },
    ...{ counter, mayBeBackedUp, isBackedUp },
    transports: knownTransports.filter((each) => named.includes(each)),
  };
  return { passkey };
}

/**
 * Verifies an assertion with a stored passkey (WebAuthn Level 3, section 7.2). Its challenge and its
 * counter are checked elsewhere. The signature is verified in any case: the time must not show which
 * passkeys exist.
 */
export async function verifyAssertion(
  response: CeremonyResponse,
  passkey: ProvenPasskey,
  { origin, userHandle }: { origin: string; userHandle: string },
): Promise<Proven<{ data: AuthenticatorData }>> {
  const { members, clientData } = response;
  const data = readData(response);
  const signed = readBytes(members.authenticatorData);
  const signature = readBytes(members.signature);
  const spki = readBytes(passkey.publicKey);
  const key = spki && await importPasskey(spki, passkey.algorithm);
  if (!data || !signed || !signature || !key) return { problem: "malformed" };
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", clientData));
  const content = Uint8Array.from([...signed, ...hash]);
  const isSigned = await isSignedBy(key, passkey.algorithm, signature, content);
  const problem = await ceremonyProblem(response, data, "webauthn.get", origin, passkey.rpId);
  if (problem !== undefined) return { problem };
  if (members.userHandle !== userHandle) return { problem: "another user handle" };
  if (data.mayBeBackedUp !== passkey.mayBeBackedUp) {
    return { problem: "another backup eligibility than that of its registration" };
  }
  return isSigned ? { data } : { problem: "wrong signature" };
}

/**
 * Whether a counter shows no copy of the passkey: it grows, or the authenticator does not count
 * (WebAuthn Level 3, section 6.1.1).
 */
export function hasGrown(before: number, after: number): boolean {
  return after > before || (after === 0 && before === 0);
}

function readData({ members }: CeremonyResponse): AuthenticatorData | undefined {
  const bytes = readBytes(members.authenticatorData);
  return bytes && readAuthenticatorData(bytes);
}

/** Returns what is wrong with what a registration and an assertion have in common. */
async function ceremonyProblem(
  { type, origin, crossOrigin }: CeremonyResponse,
  data: AuthenticatorData | undefined,
  expectedType: "webauthn.create" | "webauthn.get",
  ownOrigin: string,
  rpId: string,
): Promise<string | undefined> {
  if (!data) return "malformed authenticator data";
  if (type !== expectedType) return "a response to another ceremony";
  if (origin !== ownOrigin) return "another origin";
  // A page of another site that has ours in a frame could lead its users to sign in.
  if (crossOrigin !== undefined && crossOrigin !== false) return "in a frame of another site";
  if (data.rpIdHash !== await sha256(rpId)) return "made for another host";
  if (!data.isUserPresent) return "without the user";
  return data.isUserVerified ? undefined : "without a PIN or a finger";
}

/** Reads base64url without padding. Returns undefined for any other text. */
function readBytes(text: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof text !== "string" || !/^[A-Za-z0-9_-]*$/.test(text)) return undefined;
  try {
    const bytes = Uint8Array.from(base64url.decode(text));
    return encodeBase64url(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}
