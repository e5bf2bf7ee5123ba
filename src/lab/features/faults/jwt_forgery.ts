import { base64url, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { numericDate } from "../../../server/issuer/time.ts";
import type { SigningAlgorithm } from "../../../server/model/signing.ts";
import type { InternalServer } from "../../../server/server.ts";
import { hour } from "../../../server/util/time/duration.ts";
import type { DecodedJwt } from "../../recording/credentials.ts";
import { signingKeyOf, signJwt, type UnsignedJwt } from "../../tokens/signed_tokens.ts";

/** The issuer of claims about a user, which issues no ID tokens. */
const claimsIssuer = "https://claims.example";

/** What can be wrong with any JWT that a server signs. */
export type CommonForgery =
  | "wrong_iss"
  | "wrong_aud"
  | "expired"
  | "alg_none"
  | "hs256_with_public_key"
  | "foreign_signature";

/** A decoded JWT, with the key that signed it. */
interface JwtDraft extends UnsignedJwt {
  server: InternalServer;
}

/** One way to forge a JWT. */
export interface JwtChange {
  /** What is wrong, after "The ID token". */
  what: string;
  /** Returns the claims and the header to sign. */
  change?(draft: JwtDraft): DecodedJwt | Promise<DecodedJwt>;
  /** The claim that the token must have. */
  needs?: string;
  /** Signs in place of the server. */
  sign?(draft: JwtDraft): Promise<string>;
}

/** What can be wrong with any JWT that a server signs. */
export const commonForgeries: Record<CommonForgery, JwtChange> = {
  wrong_iss: {
    what: "names a different issuer",
    // A client that compares the beginning, or the host, takes it for the right one.
    change: setClaims(({ claims: { iss } }) => ({ iss: `${iss}/attacker` })),
  },
  wrong_aud: {
    what: "is for a different audience",
    // So does one that looks for its own id in a text.
    change: setClaims(({ claims: { aud } }) => ({ aud: `${[aud].flat()[0]}-someone-else` })),
  },
  expired: {
    what: "expired an hour ago",
    change: setClaims(({ server }) => ({
      exp: numericDate(server.context) - hour,
      iat: numericDate(server.context) - 2 * hour,
    })),
  },
  alg_none: {
    what: "is not signed: its alg is none",
    sign: async (draft) => withoutSignature(draft),
  },
  hs256_with_public_key: {
    what: "is signed with HS256, with the public key as the secret",
    sign: signWithPublicKey,
  },
  foreign_signature: {
    what: "is signed with an attacker's key under the server's kid",
    sign: signWithAttackerKey,
  },
};

/** A user whom no application may show: what a fault says of someone else. */
export const wrongUser: Readonly<Record<string, string>> = {
  name: "Wendell Wrongly",
  given_name: "Wendell",
  family_name: "Wrongly",
  nickname: "wrongly",
  preferred_username: "wendell-wrongly",
  email: "wendell@wrongly.example",
};

/** Returns those of its claims that are among others. */
export function wrongUserIn(claims: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(wrongUser).filter(([name]) => Object.hasOwn(claims, name)),
  );
}

export function canForge({ claims }: DecodedJwt, { needs }: JwtChange): boolean {
  return needs === undefined || Object.hasOwn(claims, needs);
}

/**
 * Whether a forgery signs in place of the server. One that does not would sign a JWT correctly
 * again.
 */
export function breaksSignature({ sign }: JwtChange): boolean {
  return sign !== undefined;
}

/** Returns a forged copy of a JWT that the server signed. */
export async function forgeJwt(
  server: InternalServer,
  jwt: DecodedJwt,
  { change, sign = signJwt }: JwtChange,
): Promise<string> {
  const key = await signingKeyOf(server.context, jwt.header, jwt.claims.aud);
  const draft: JwtDraft = { ...jwt, server, key };
  return await sign({ ...draft, ...await change?.(draft) });
}

export function setClaims(
  change: (draft: JwtDraft) => Record<string, unknown>,
): NonNullable<JwtChange["change"]> {
  return (draft) => ({ header: draft.header, claims: { ...draft.claims, ...change(draft) } });
}

export function withoutClaim(name: string): JwtChange {
  return {
    what: `has no ${name}`,
    needs: name,
    change: ({ header, claims: { [name]: _, ...claims } }) => ({ header, claims }),
  };
}

/** Returns a claim that is included in a JWT (OpenID Connect Core, section 5.6.2.1). */
export async function aggregatedClaims(sub: unknown): Promise<DecodedJwt["claims"]> {
  const claims = { iss: claimsIssuer, sub, shoe_size: 42 };
  const jwt = await signWithAttackerKey({ header: { alg: "RS256", kid: "claims" }, claims });
  return { _claim_names: { shoe_size: "src1" }, _claim_sources: { src1: { JWT: jwt } } };
}

/** Returns a claim that has to be fetched (OpenID Connect Core, section 5.6.2.2). */
export function distributedClaims(): DecodedJwt["claims"] {
  const source = { endpoint: `${claimsIssuer}/claims`, access_token: "a-token-of-the-source" };
  return { _claim_names: { credit_score: "src1" }, _claim_sources: { src1: source } };
}

/** Signs a JWT with a key that the server does not have. */
async function signWithAttackerKey(jwt: DecodedJwt): Promise<string> {
  // Another fault has removed the signature: no key can sign with "none".
  if (jwt.header.alg === "none") return withoutSignature(jwt);
  return await signJwt({ ...jwt, key: await attackerKey(String(jwt.header.alg)) });
}

/** A key that the server does not have. */
export interface AttackerKey {
  /** Without a `kid`. */
  publicJwk: JWK;
  privateKey: CryptoKey;
}

/** Returns a key that is not the server's. Making an RSA key takes too long for a test. */
export async function makeAttackerKey(alg: string): Promise<AttackerKey> {
  if (alg === "RS256" || alg === "PS256") {
    const { attackerRsaKey } = await import("../../tokens/attacker_key.ts");
    const { kty, n, e } = attackerRsaKey;
    const privateKey = await importJWK({ ...attackerRsaKey, alg }) as CryptoKey;
    return { publicJwk: { kty, n, e, alg, use: "sig" } as JWK, privateKey };
  }
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { publicJwk: { ...await exportJWK(publicKey), alg, use: "sig" }, privateKey };
}

/** An API that trusts the `alg` of the header verifies this token with the public key. */
async function signWithPublicKey({ header, claims, server }: JwtDraft): Promise<string> {
  const { keys, settings } = server.context;
  const { kid, alg } = header;
  const known = alg === "HS256" ? settings.idTokenAlg : alg as SigningAlgorithm;
  const { publicJwk } = await keys.find(String(kid)) ?? await keys.active(known);
  const key = new TextEncoder().encode(JSON.stringify(publicJwk));
  return await signJwt({ header: { ...header, alg: "HS256" }, claims, key });
}

async function attackerKey(alg: string): Promise<CryptoKey | Uint8Array> {
  if (alg === "HS256") return crypto.getRandomValues(new Uint8Array(32));
  return (await makeAttackerKey(alg)).privateKey;
}

function withoutSignature({ header, claims }: DecodedJwt): string {
  return `${encode({ ...header, alg: "none" })}.${encode(claims)}.`;
}

function encode(value: object): string {
  return base64url.encode(JSON.stringify(value));
}
