import { derInteger, derSequence } from "../../../src/server/util/bytes/der.ts";
import { encodeBase64url } from "../../../src/server/util/bytes/encoding.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** What a browser and its authenticator state in one ceremony; a test changes what is wrong. */
export interface Stated {
  type: string;
  challenge: string;
  origin: string;
  crossOrigin?: unknown;
  /** The RP ID whose hash is signed. */
  rpId: string;
  flags: number;
  counter: number;
}

/** The flags of authenticator data (WebAuthn Level 3, section 6.1). */
export const flag = { present: 1, verified: 4, eligible: 8, backedUp: 16, attested: 64 };

const algorithms = {
  [-7]: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  [-8]: { name: "Ed25519" },
  [-257]: {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
};

export type SoftwareAuthenticator = Awaited<ReturnType<typeof createAuthenticator>>;

/** Creates an authenticator with one passkey, which signs what it is given. */
export async function createAuthenticator(
  { algorithm = -7, id = "AAECAwQFBgcICQoLDA0ODw", userHandle = "aGFuZGxl" }: {
    algorithm?: -7 | -8 | -257;
    id?: string;
    userHandle?: string;
  } = {},
) {
  const parameters = algorithms[algorithm];
  const pair = await crypto.subtle.generateKey(parameters, true, [
    "sign",
    "verify",
  ]) as CryptoKeyPair;
  const spki = new Uint8Array(await crypto.subtle.exportKey("spki", pair.publicKey));
  const jwk = await crypto.subtle.exportKey("jwk", pair.publicKey);

  async function dataOf({ rpId, flags, counter }: Stated, attested: Bytes): Promise<Bytes> {
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(rpId));
    const data = new Uint8Array([...new Uint8Array(hash), flags, 0, 0, 0, 0, ...attested]);
    new DataView(data.buffer).setUint32(33, counter);
    return data;
  }

  async function sign(signed: Bytes): Promise<Bytes> {
    const raw = new Uint8Array(await crypto.subtle.sign(parameters, pair.privateKey, signed));
    if (algorithm !== -7) return raw;
    return derSequence(derInteger(raw.slice(0, 32)), derInteger(raw.slice(32)));
  }

  return {
    id,
    userHandle,
    publicKey: encodeBase64url(spki),
    algorithm,
    /** Returns the `RegistrationResponseJSON`. */
    async register(stated: Stated, changes: Record<string, unknown> = {}): Promise<string> {
      const idBytes = fromBase64url(id);
      const length = [idBytes.length >> 8, idBytes.length & 255];
      const attested = [...new Uint8Array(16), ...length, ...idBytes, ...coseKey(algorithm, jwk)];
      const data = await dataOf(
        stated,
        stated.flags & flag.attested ? new Uint8Array(attested) : new Uint8Array(),
      );
      return JSON.stringify({
        ...{ id, rawId: id, type: "public-key", clientExtensionResults: {} },
        response: {
          clientDataJSON: clientData(stated),
          attestationObject: encodeBase64url(attestationObject(data)),
          authenticatorData: encodeBase64url(data),
          transports: ["internal", "unknown", "hybrid"],
          publicKey: encodeBase64url(spki),
          publicKeyAlgorithm: algorithm,
          ...changes,
        },
      });
    },
    /** Returns the `AuthenticationResponseJSON`. */
    async assert(stated: Stated, changes: Record<string, unknown> = {}): Promise<string> {
      const data = await dataOf(stated, new Uint8Array());
      const clientDataJSON = clientData(stated);
      const hash = await crypto.subtle.digest("SHA-256", fromBase64url(clientDataJSON));
      const signature = await sign(new Uint8Array([...data, ...new Uint8Array(hash)]));
      return JSON.stringify({
        ...{ id, rawId: id, type: "public-key", clientExtensionResults: {} },
        response: {
          clientDataJSON,
          authenticatorData: encodeBase64url(data),
          signature: encodeBase64url(signature),
          userHandle,
          ...changes,
        },
      });
    },
  };
}

export function fromBase64url(text: string): Bytes {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (each) => each.charCodeAt(0));
}

function clientData({ type, challenge, origin, crossOrigin }: Stated): string {
  return encodeBase64url(JSON.stringify({ type, challenge, origin, crossOrigin }));
}

/** Encodes a public key in CBOR (RFC 9052, section 7), for verifiers that read it. */
function coseKey(algorithm: -7 | -8 | -257, { x = "", y = "", n = "" }: JsonWebKey): number[] {
  const coordinate = (label: number, text: string) => [label, 0x58, 32, ...fromBase64url(text)];
  if (algorithm === -8) {
    return [0xa4, 1, 1, 3, 0x27, 0x20, 6, ...coordinate(0x21, x)];
  }
  if (algorithm === -7) {
    return [0xa5, 1, 2, 3, 0x26, 0x20, 1, ...coordinate(0x21, x), ...coordinate(0x22, y)];
  }
  const modulus = fromBase64url(n);
  const bytes = [0x59, modulus.length >> 8, modulus.length & 255, ...modulus];
  return [0xa4, 1, 3, 3, 0x39, 1, 0, 0x20, ...bytes, 0x21, 0x43, 1, 0, 1];
}

/** Encodes an attestation object with the format `none` (WebAuthn Level 3, section 8.7). */
function attestationObject(data: Bytes): Bytes {
  const text = (value: string) => [0x60 | value.length, ...new TextEncoder().encode(value)];
  const bytes = [0x59, data.length >> 8, data.length & 255, ...data];
  const members = [...text("fmt"), ...text("none"), ...text("attStmt"), 0xa0, ...text("authData")];
  return new Uint8Array([0xa3, ...members, ...bytes]);
}
