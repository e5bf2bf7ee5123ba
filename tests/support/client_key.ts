import { type JWK, type JWTPayload, SignJWT } from "jose";
import type { FlowKit } from "./flow_kit.ts";
import { makeKeyPair } from "./key_pairs.ts";

/** A key pair of a client. */
export interface ClientKey {
  publicJwk: JWK;
  privateKey: CryptoKey;
  sign(claims: object, header?: Record<string, unknown>): Promise<string>;
}

export async function makeClientKey(alg = "ES256", kid?: string): Promise<ClientKey> {
  const { publicJwk, privateKey } = await makeKeyPair(alg);
  return {
    publicJwk: { ...publicJwk, ...kid !== undefined && { kid } },
    privateKey,
    sign: (claims, header) =>
      new SignJWT({ ...claims }).setProtectedHeader({
        alg,
        ...kid !== undefined && { kid },
        ...header,
      })
        .sign(privateKey),
  };
}

/** Signs with a secret, as `client_secret_jwt` requires. */
export async function signWithSecret(
  secret: string,
  claims: JWTPayload,
  alg = "HS256",
): Promise<string> {
  return await new SignJWT(claims).setProtectedHeader({ alg }).sign(
    new TextEncoder().encode(secret),
  );
}

export const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** Returns the time of a kit in seconds, as JWTs have it. */
export function seconds(kit: FlowKit): number {
  return Math.floor(kit.clock.now / 1000);
}

let count = 0;

/** Returns the claims of a valid assertion, each time with another `jti`. */
export function assertionClaims(kit: FlowKit, clientId: string): JWTPayload {
  return {
    iss: clientId,
    sub: clientId,
    aud: kit.issuer,
    jti: `jti-${++count}`,
    exp: seconds(kit) + 60,
    iat: seconds(kit),
  };
}

/** Returns the fields by which a client authenticates with a key. */
export async function assertion(
  kit: FlowKit,
  clientId: string,
  key: ClientKey,
): Promise<Record<string, string>> {
  return {
    client_assertion_type: assertionType,
    client_assertion: await key.sign(assertionClaims(kit, clientId)),
  };
}
