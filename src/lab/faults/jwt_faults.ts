import { base64url, generateKeyPair, importJWK, SignJWT } from "jose";
import { hmacKeyFor } from "../../issuer/clients/id_token_signature.ts";
import type { SigningAlgorithm } from "../../model/signing.ts";
import type { InternalServer } from "../../server.ts";
import { hour } from "../../util/duration.ts";
import { attackerRsaKey } from "../keys/baked_keys.ts";
import { type DecodedJwt, readJwt } from "../recording/credentials.ts";
import { jsonOf, type WireResponse } from "../recording/exchange.ts";
import type { FaultContext, FaultKind } from "./fault.ts";
import { places } from "./places.ts";
import { withJson } from "./token_faults.ts";

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

/** A decoded JWT, with what it takes to sign it again. */
interface JwtDraft extends DecodedJwt {
  context: FaultContext;
  /** The secret of the client, if that signed the token. */
  hmacKey: Uint8Array | undefined;
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
      const hmacKey = jwt.header.alg === "HS256"
        ? await hmacKeyFor(context.server.context, jwt.claims.aud)
        : undefined;
      const forged = await forge({ ...jwt, context, hmacKey }, forgery);
      return withJson(response, (body) => ({ ...body, [member]: forged }));
    },
  };
}

function jwtIn(response: WireResponse, member: string): DecodedJwt | undefined {
  const value = jsonOf(response)?.[member];
  return typeof value === "string" ? readJwt(value) : undefined;
}

async function forge(draft: JwtDraft, { change, sign = signProperly }: JwtChange): Promise<string> {
  return await sign({ ...draft, ...change?.(draft) });
}

async function signProperly({ header, claims, context, hmacKey }: JwtDraft): Promise<string> {
  const key = hmacKey ?? (await keyOf(context.server, header)).privateKey;
  return await new SignJWT(claims)
    .setProtectedHeader({ ...header, alg: String(header.alg) })
    .sign(key);
}

/** An API that trusts the `alg` of the header verifies this token with the public key. */
async function signWithPublicKey({ header, claims, context }: JwtDraft): Promise<string> {
  const { publicJwk } = await keyOf(context.server, header);
  const secret = new TextEncoder().encode(JSON.stringify(publicJwk));
  return await new SignJWT(claims).setProtectedHeader({ ...header, alg: "HS256" }).sign(secret);
}

/**
 * Signs with a key that is not the server's. An RSA key is baked in: making one takes too long for
 * a test.
 */
async function signWithAttackerKey({ header, claims }: JwtDraft): Promise<string> {
  const alg = String(header.alg);
  if (alg === "HS256") {
    const secret = crypto.getRandomValues(new Uint8Array(32));
    return await new SignJWT(claims).setProtectedHeader({ ...header, alg }).sign(secret);
  }
  const isRsa = alg === "RS256" || alg === "PS256";
  const key = isRsa
    ? await importJWK({ ...attackerRsaKey, alg })
    : (await generateKeyPair(alg)).privateKey;
  return await new SignJWT(claims).setProtectedHeader({ ...header, alg }).sign(key);
}

async function keyOf({ context }: InternalServer, { kid, alg }: Record<string, unknown>) {
  const known = alg === "HS256" ? context.settings.idTokenAlg : alg as SigningAlgorithm;
  return await context.keys.find(String(kid)) ?? await context.keys.active(known);
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
