import { exportPKCS8, importPKCS8, SignJWT } from "jose";
import type { HallpassOptions, TestLab } from "../../src/lab/testing/mod.ts";
import { makeKeyPair } from "./key_pairs.ts";
import { callback, clientAt, openProvider, type PlayedLab } from "./provider_login.ts";

/** The client that Apple calls a Services ID, with the team and the key of its owner. */
export const servicesId = "com.example.web";
export const teamId = "TEAM123456";
export const keyId = "KEY1234567";

const { publicJwk, privateKey } = await makeKeyPair("ES256");

/** The key as developers download it. */
export const downloadedKey = await exportPKCS8(privateKey);

const jwk = { ...publicJwk, kid: keyId, alg: "ES256", use: "sig" };

/** Opens a lab that plays Apple, with a client and its key. */
export async function openApple(
  options: HallpassOptions = {},
  redirectUri: string = callback,
): Promise<PlayedLab> {
  const client = { id: servicesId, redirectUris: [redirectUri], jwks: { keys: [jwk] } };
  const lab = await openProvider("apple", { clients: [client], ...options });
  // A code lives for five minutes, which a busy machine must not use up.
  lab.clock.freeze();
  return lab;
}

/** Signs a client secret; `changes` are claims that differ from a right one. */
export async function clientSecret(
  lab: TestLab,
  changes: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  const now = Math.floor(lab.clock.now() / 1000);
  const claims = {
    iss: teamId,
    sub: servicesId,
    aud: "https://appleid.apple.com",
    iat: now,
    exp: now + 180 * 86400,
    ...changes,
  };
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", kid: keyId, ...header })
    .sign(await importPKCS8(downloadedKey, "ES256"));
}

/** Sends an authorization request, and returns the fields of the form that comes back. */
export async function formOf(
  lab: TestLab,
  scope: string,
  changes: Record<string, string> = {},
): Promise<Record<string, string>> {
  const asked = { client_id: servicesId, scope, response_mode: "form_post" };
  return await fieldsOf(await clientAt(lab, "apple").ask({ ...asked, ...changes }));
}

/** Returns the fields of the form in an authorization response. */
export async function fieldsOf(response: Response): Promise<Record<string, string>> {
  const inputs = [...(await response.text()).matchAll(/name="([^"]+)" value="([^"]*)"/g)];
  return Object.fromEntries(
    inputs.map(([, name = "", value = ""]) => [name, value.replaceAll("&quot;", '"')]),
  );
}

/** Sends a token request with a client secret. */
export async function requestAppleTokens(
  lab: TestLab,
  fields: Record<string, string>,
  secret?: string,
) {
  const client = { client_id: servicesId, client_secret: secret ?? await clientSecret(lab) };
  return await clientAt(lab, "apple").redeem(undefined, { ...client, ...fields });
}
