import { base64url, generateKeyPair, importJWK } from "jose";
import type { SigningAlgorithm } from "../../server/model/signing.ts";
import { hour } from "../../server/util/time/duration.ts";
import { type DecodedJwt, readJwt } from "../recording/credentials.ts";
import { jsonOf, type WireResponse, withJson } from "../recording/exchange.ts";
import { attackerRsaKey } from "../tokens/keys/baked_keys.ts";
import { signingKeyOf, signJwt, type UnsignedJwt } from "../tokens/signed_tokens.ts";
import type { FaultContext, FaultKind } from "./fault.ts";
import { places } from "./places.ts";

const attackerIssuer = "https://attacker.example";

/** The name of a fault in a token that is a JWT: `"id_token.wrong_aud"`. */
export type JwtFaultName = `id_token.${JwtForgery | IdTokenForgery}` | `access_token.${JwtForgery}`;

/** What can be wrong with any JWT. */
export type JwtForgery =
  | "wrong_iss"
  | "wrong_aud"
  | "wrong_azp"
  | "expired"
  | "issued_in_future"
  | "unknown_kid"
  | "alg_none"
  | "hs256_with_public_key"
  | "foreign_signature";

/** What can be wrong with an ID token alone. */
export type IdTokenForgery = "wrong_nonce" | "without_nonce" | "wrong_at_hash" | "wrong_sub";

/** A decoded JWT, with the key that signed it. */
interface JwtDraft extends UnsignedJwt {
  context: FaultContext;
}

interface JwtChange {
  /** What is wrong, after "The ID token". */
  what: string;
  /** Returns the claims and the header to sign. */
  change?(draft: JwtDraft): DecodedJwt;
  /** The claim that the token must have. */
  needs?: string;
  /** Signs in place of the server. */
  sign?(draft: JwtDraft): Promise<string>;
}

/** What can be wrong with any token. */
const forgeries: Record<JwtForgery, JwtChange> = {
  wrong_iss: { what: "names a different issuer", change: claims(() => ({ iss: attackerIssuer })) },
  wrong_aud: {
    what: "is for a different audience",
    change: claims(() => ({ aud: "someone-else" })),
  },
  wrong_azp: {
    what: "was issued to a different client, according to its azp",
    change: claims(({ claims }) => ({
      azp: "someone-else",
      aud: [claims.aud, "someone-else"].flat(),
    })),
  },
  expired: {
    what: "expired an hour ago",
    change: claims(({ context }) => ({
      exp: secondsNow(context) - hour,
      iat: secondsNow(context) - 2 * hour,
    })),
  },
  issued_in_future: {
    what: "was issued an hour in the future",
    change: claims(({ context }) => ({
      iat: secondsNow(context) + hour,
      exp: secondsNow(context) + 2 * hour,
    })),
  },
  unknown_kid: {
    what: "names a key that does not exist",
    change: ({ header, claims }) => ({ header: { ...header, kid: "unknown-key" }, claims }),
  },
  alg_none: {
    what: "is not signed: its alg is none",
    sign: async ({ header, claims }) => `${encode({ ...header, alg: "none" })}.${encode(claims)}.`,
  },
  hs256_with_public_key: {
    what: "is signed with HS256, with the public key as the secret",
    sign: signWithPublicKey,
  },
  foreign_signature: {
    what: "is signed with an attacker's key under our kid",
    sign: signWithAttackerKey,
  },
};

/** What can be wrong with an ID token alone. */
const idTokenForgeries: Record<IdTokenForgery, JwtChange> = {
  wrong_nonce: {
    what: "has a different nonce than the request",
    needs: "nonce",
    change: claims(() => ({ nonce: "another-nonce" })),
  },
  without_nonce: {
    what: "has no nonce",
    needs: "nonce",
    change: ({ header, claims: { nonce: _, ...claims } }) => ({ header, claims }),
  },
  wrong_at_hash: {
    what: "belongs to a different access token, according to its at_hash",
    change: claims(() => ({ at_hash: "AAAAAAAAAAAAAAAAAAAAAA" })),
  },
  wrong_sub: {
    what: "is about a different user than userinfo",
    change: claims(() => ({ sub: "someone-else" })),
  },
};

/** "id_token.expired", "access_token.wrong_aud", … */
export function jwtFaults(): Record<JwtFaultName, FaultKind> {
  return {
    ...faultsOf("id_token", "ID token", { ...forgeries, ...idTokenForgeries }),
    ...faultsOf("access_token", "access token", forgeries),
  };
}

function faultsOf<Member extends string, Word extends string>(
  member: Member,
  name: string,
  changes: Record<Word, JwtChange>,
): Record<`${Member}.${Word}`, FaultKind> {
  const kinds = Object.entries<JwtChange>(changes)
    .map(([word, change]) => [`${member}.${word}`, forgeryFault(member, name, change)]);
  return Object.fromEntries(kinds);
}

function forgeryFault(member: string, name: string, forgery: JwtChange): FaultKind {
  return {
    summary: `The ${name} ${forgery.what}.`,
    appliesTo: places.token,
    canChange(response) {
      const jwt = jwtIn(response, member);
      return jwt !== undefined &&
        (forgery.needs === undefined || Object.hasOwn(jwt.claims, forgery.needs));
    },
    async change(response, context) {
      const jwt = jwtIn(response, member);
      if (!jwt) return response;
      const key = await signingKeyOf(context.server.context, jwt.header, jwt.claims.aud);
      const forged = await forge({ ...jwt, context, key }, forgery);
      return withJson(response, (body) => ({ ...body, [member]: forged }));
    },
  };
}

function jwtIn(response: WireResponse, member: string): DecodedJwt | undefined {
  const value = jsonOf(response)?.[member];
  return typeof value === "string" ? readJwt(value) : undefined;
}

async function forge(draft: JwtDraft, { change, sign = signJwt }: JwtChange): Promise<string> {
  return await sign({ ...draft, ...change?.(draft) });
}

/** An API that trusts the `alg` of the header verifies this token with the public key. */
async function signWithPublicKey({ header, claims, context }: JwtDraft): Promise<string> {
  const { keys, settings } = context.server.context;
  const { kid, alg } = header;
  const known = alg === "HS256" ? settings.idTokenAlg : alg as SigningAlgorithm;
  const { publicJwk } = await keys.find(String(kid)) ?? await keys.active(known);
  const key = new TextEncoder().encode(JSON.stringify(publicJwk));
  return await signJwt({ header: { ...header, alg: "HS256" }, claims, key });
}

async function signWithAttackerKey({ header, claims }: JwtDraft): Promise<string> {
  return await signJwt({ header, claims, key: await attackerKey(String(header.alg)) });
}

/** Returns a key that is not the server's. Making an RSA key takes too long for a test. */
async function attackerKey(alg: string): Promise<CryptoKey | Uint8Array> {
  if (alg === "HS256") return crypto.getRandomValues(new Uint8Array(32));
  if (alg === "RS256" || alg === "PS256") return await importJWK({ ...attackerRsaKey, alg });
  return (await generateKeyPair(alg)).privateKey;
}

function claims(
  change: (draft: JwtDraft) => Record<string, unknown>,
): NonNullable<JwtChange["change"]> {
  return (draft) => ({ header: draft.header, claims: { ...draft.claims, ...change(draft) } });
}

function secondsNow({ server }: FaultContext): number {
  return Math.floor(server.context.now() / 1000);
}

function encode(value: object): string {
  return base64url.encode(JSON.stringify(value));
}
