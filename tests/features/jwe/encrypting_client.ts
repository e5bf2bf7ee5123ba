import {
  compactDecrypt,
  CompactEncrypt,
  type CompactJWEHeaderParameters,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JWK,
  type ProtectedHeaderParameters,
} from "jose";
import type { ClientConfig, JweClientConfig } from "../../../src/server/features.ts";
import { once } from "../../../src/server/util/time/promises.ts";
import { type ClientKey, makeClientKey } from "../../support/client_key.ts";
import { basic, type FlowKit, read } from "../../support/kit.ts";

const secret = "a-secret-of-32-letters-and-digits";

export const redirectUri = "https://app.example/cb";

export const asApp = basic("app", secret);

/** A client that gets what it asks for encrypted, and can decrypt it. */
export interface EncryptingClient {
  config: ClientConfig;
  signing: ClientKey;
  /** Decrypts what the client got, and returns the header with it. */
  decrypt(jwe: string): Promise<{ header: ProtectedHeaderParameters; text: string }>;
}

/** Making an RSA key takes longer than a test. */
const rsaKeys = once(() => generateKeyPair("RSA-OAEP-256", { extractable: true }));

/** Makes a client with a key for an algorithm, and one that signs. */
export async function makeEncryptingClient(
  alg: string,
  settings: JweClientConfig = {},
): Promise<EncryptingClient> {
  const { privateKey, publicKey } = alg.startsWith("RSA")
    ? await rsaKeys()
    : await generateKeyPair(alg, { extractable: true });
  const privateJwk = { ...await exportJWK(privateKey), alg };
  const signing = await makeClientKey("ES256", "signs");
  const encrypting: JWK = { ...await exportJWK(publicKey), kid: "decrypts", use: "enc", alg };
  return {
    signing,
    config: {
      id: "app",
      secret,
      redirectUris: [redirectUri],
      jwks: { keys: [{ ...signing.publicJwk, use: "sig" }, encrypting] },
      ...settings,
    },
    async decrypt(jwe) {
      const { plaintext } = await compactDecrypt(jwe, privateJwk);
      return { header: decodeProtectedHeader(jwe), text: new TextDecoder().decode(plaintext) };
    },
  };
}

/** Returns the keys that a server publishes for encryption. */
export async function encryptionKeys(kit: FlowKit): Promise<JWK[]> {
  const { keys } = (await read(await kit.get("/oauth2/jwks"))).body as { keys: JWK[] };
  return keys.filter(({ use }) => use === "enc");
}

/** Encrypts a text for a server. */
export async function encrypt(
  text: string,
  key: JWK,
  header: Partial<CompactJWEHeaderParameters> = {},
  crit: Record<string, boolean> = {},
): Promise<string> {
  const { alg = "", kid = "" } = key;
  return await new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg, enc: "A256GCM", kid, cty: "JWT", ...header })
    .encrypt({ ...key, alg: header.alg ?? alg }, { crit });
}
