import {
  compactDecrypt,
  createLocalJWKSet,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  jwtVerify,
} from "jose";
import type { HallpassOptions, TestLab } from "../../../../src/lab/testing/mod.ts";
import { type ClientDoor, type TestClient, testClient } from "../../../support/test_client.ts";

const secret = "a-secret-of-32-letters-and-digits";
const redirectUri = "https://app.example/cb";
const enc = "A256GCM";

/** A client that gets everything encrypted, and its lab. */
export interface EncryptedClient {
  client: TestClient;
  options: HallpassOptions;
  /** Decrypts a text by the algorithms that the client registered, or by any. */
  open(text: string, onlyRegistered?: boolean): Promise<string>;
  /** Signs in, and checks what a client must, or nothing. */
  logIn(lab: TestLab, isCareful: boolean): Promise<void>;
}

export async function makeEncryptedClient(alg: "ECDH-ES+A256KW" | "RSA-OAEP-256" | "ECDH-ES") {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const client = testClient({ client_id: "app", client_secret: secret, redirect_uri: redirectUri });
  const keys = [{ ...await exportJWK(publicKey), kid: "enc", use: "enc", alg }];
  const options: HallpassOptions = {
    clients: [{
      ...{ id: "app", secret, redirectUris: [redirectUri], jwks: { keys } },
      ...{ userinfoAlg: "RS256", backchannelLogoutUri: "https://app.example/logout" },
      ...{ idTokenEncryptionAlg: alg, idTokenEncryptionEnc: enc },
      ...{ userinfoEncryptionAlg: alg, userinfoEncryptionEnc: enc },
      ...{ authorizationResponseEncryptionAlg: alg, authorizationResponseEncryptionEnc: enc },
    }],
  };

  async function open(text: string, onlyRegistered = true): Promise<string> {
    const only = { keyManagementAlgorithms: [alg], contentEncryptionAlgorithms: [enc] };
    const { plaintext } = onlyRegistered
      ? await compactDecrypt(text, { ...jwk, alg }, { ...only, maxDecompressedLength: 0 })
      : await compactDecrypt(text, { ...jwk, alg: headerOf(text).alg ?? alg });
    return new TextDecoder().decode(plaintext);
  }

  async function verify(lab: TestLab, text: string): Promise<JWTPayload> {
    const jwks = await (await lab.fetch(`${lab.issuer}/oauth2/jwks`)).json();
    const expected = { issuer: lab.issuer, audience: "app" };
    return (await jwtVerify(await open(text), createLocalJWKSet(jwks), expected)).payload;
  }

  async function believe(_lab: TestLab, text: string): Promise<JWTPayload> {
    const opened = text.split(".").length === 5 ? await open(text, false) : text;
    return opened.startsWith("{") ? JSON.parse(opened) : decodeJwt(opened);
  }

  async function logIn(lab: TestLab, isCareful: boolean): Promise<void> {
    const read = isCareful ? verify : believe;
    const { parameters } = await client.authorize(lab, { response_mode: "jwt" });
    const { code } = await read(lab, parameters.response ?? "");
    const { id_token, access_token } = (await client.redeem(lab, String(code))).body;
    const { sub } = await read(lab, id_token);
    const userinfo = await read(lab, (await client.userinfo(lab, access_token)).text);
    if (isCareful && userinfo.sub !== sub) throw new Error("The userinfo is about someone else.");
  }

  return { client, options, open, logIn } satisfies EncryptedClient;
}

/** Returns the header of a JWE. */
export function headerOf(jwe: string): Record<string, string> {
  return JSON.parse(atob((jwe.split(".")[0] ?? "").replaceAll("-", "+").replaceAll("_", "/")));
}

/** Signs alice in, and returns the ID token as her client gets it. */
export async function idTokenOf(
  lab: ClientDoor,
  { client }: Pick<EncryptedClient, "client">,
): Promise<string> {
  const { parameters } = await client.authorize(lab);
  return (await client.redeem(lab, parameters.code ?? "")).body.id_token;
}
