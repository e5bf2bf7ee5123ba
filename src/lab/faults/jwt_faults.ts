import { base64url, generateKeyPair, importJWK, SignJWT } from "jose";
import type { SigningAlgorithm } from "../../model/signing.ts";
import type { InternalServer } from "../../server.ts";
import { hour } from "../../util/duration.ts";
import { attackerRsaKey } from "../keys/baked_keys.ts";
import { readJwt } from "../recording/credentials.ts";
import { jsonOf, type WireResponse } from "../recording/exchange.ts";
import type { FaultContext, FaultKind } from "./fault.ts";
import { places } from "./places.ts";
import { withJson } from "./token_faults.ts";

/** A fault of a token that is a JWT: `"id_token.wrong_aud"`. */
export type JwtFault = `id_token.${JwtForgery | IdTokenForgery}` | `access_token.${JwtForgery}`;

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

/** A JWT that is taken apart, with what it takes to put it together again. */
interface JwtDraft {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  scene: FaultContext;
}

interface JwtChange {
  what: string;
  /** Claims and header as they shall be; they are signed properly. */
  change?(draft: JwtDraft): Pick<JwtDraft, "header" | "claims">;
  /** The claim without which there is nothing to be wrong. */
  needs?: string;
  /** Another way to sign. */
  sign?(draft: JwtDraft): Promise<string>;
}

const attackerIssuer = "https://attacker.example";

/** What can be wrong with a token. */
const forgeries: Record<JwtForgery, JwtChange> = {
  wrong_iss: { what: "names another issuer", change: claims(() => ({ iss: attackerIssuer })) },
  wrong_aud: {
    what: "is meant for somebody else",
    change: claims(() => ({ aud: "somebody-else" })),
  },
  wrong_azp: {
    what: "was issued to another party, as its azp says",
    change: claims(({ claims }) => ({
      azp: "somebody-else",
      aud: [claims.aud, "somebody-else"].flat(),
    })),
  },
  expired: {
    what: "expired an hour ago",
    change: claims(({ scene: context }) => ({
      exp: seconds(context) - hour,
      iat: seconds(context) - 2 * hour,
    })),
  },
  issued_in_future: {
    what: "is issued an hour from now",
    change: claims(({ scene: context }) => ({
      iat: seconds(context) + hour,
      exp: seconds(context) + 2 * hour,
    })),
  },
  unknown_kid: {
    what: "names a key that nobody has",
    change: ({ header, claims }) => ({ header: { ...header, kid: "nobody-has-this-key" }, claims }),
  },
  alg_none: {
    what: "is not signed at all: alg none",
    sign: async ({ header, claims }) => `${encode({ ...header, alg: "none" })}.${encode(claims)}.`,
  },
  hs256_with_public_key: {
    what: "is signed with HS256, the public key as the secret",
    sign: signWithPublicKey,
  },
  foreign_signature: {
    what: "is signed with a key of somebody else, under the kid of ours",
    sign: signWithAttackerKey,
  },
};

/** What can be wrong with an ID token alone. */
const idTokenForgeries: Record<IdTokenForgery, JwtChange> = {
  wrong_nonce: {
    what: "has another nonce than the request",
    needs: "nonce",
    change: claims(() => ({ nonce: "another-nonce" })),
  },
  without_nonce: {
    what: "has no nonce",
    needs: "nonce",
    change: ({ header, claims: { nonce: _, ...claims } }) => ({ header, claims }),
  },
  wrong_at_hash: {
    what: "belongs to another access token, as its at_hash says",
    change: claims(() => ({ at_hash: "AAAAAAAAAAAAAAAAAAAAAA" })),
  },
  wrong_sub: {
    what: "is about another user than userinfo",
    change: claims(() => ({ sub: "somebody-else" })),
  },
};

/** "id_token.expired", "access_token.wrong_aud", … */
export function jwtFaults(): Record<JwtFault, FaultKind> {
  return {
    ...faultsOf("id_token", "ID token", { ...forgeries, ...idTokenForgeries }),
    ...faultsOf("access_token", "access token", forgeries),
  };
}

function faultsOf<Member extends string, Word extends string>(
  member: Member,
  name: string,
  all: Record<Word, JwtChange>,
): Record<`${Member}.${Word}`, FaultKind> {
  const kinds = Object.entries<JwtChange>(all).map((
    [word, forgery],
  ): [string, FaultKind] => [`${member}.${word}`, {
    summary: `The ${name} ${forgery.what}.`,
    appliesTo: places.token,
    canChange: (response) => {
      const jwt = jwtIn(response, member);
      return jwt !== undefined &&
        (forgery.needs === undefined || Object.hasOwn(readJwt(jwt)!.claims, forgery.needs));
    },
    change: async (wireResponse, context) => {
      const forged = await forge(jwtIn(wireResponse, member)!, forgery, context);
      return withJson(wireResponse, (body) => ({ ...body, [member]: forged }));
    },
  }]);
  return Object.fromEntries(kinds) as Record<`${Member}.${Word}`, FaultKind>;
}

function jwtIn(response: WireResponse, member: string): string | undefined {
  const value = jsonOf(response)?.[member];
  return typeof value === "string" && readJwt(value) ? value : undefined;
}

async function forge(
  jwt: string,
  { change, sign }: JwtChange,
  context: FaultContext,
): Promise<string> {
  const draft: JwtDraft = { ...readJwt(jwt)!, scene: context };
  return await (sign ?? signProperly)({ ...draft, ...change?.(draft) });
}

async function signProperly({ header, claims, scene: context }: JwtDraft): Promise<string> {
  const { privateKey } = await keyOf(context.server, header);
  return await new SignJWT(claims).setProtectedHeader({ ...header, alg: String(header.alg) }).sign(
    privateKey,
  );
}

/** An API that takes the algorithm from the header verifies this with the key that everybody has. */
async function signWithPublicKey({ header, claims, scene: context }: JwtDraft): Promise<string> {
  const { publicJwk } = await keyOf(context.server, header);
  const secret = new TextEncoder().encode(JSON.stringify(publicJwk));
  return await new SignJWT(claims).setProtectedHeader({ ...header, alg: "HS256" }).sign(secret);
}

/** RSA takes too long to make for a test, but the lab has a key in store that is nobody's. */
async function signWithAttackerKey({ header, claims }: JwtDraft): Promise<string> {
  const alg = String(header.alg);
  const isRsa = alg === "RS256" || alg === "PS256";
  const key = isRsa
    ? await importJWK({ ...attackerRsaKey, alg })
    : (await generateKeyPair(alg)).privateKey;
  return await new SignJWT(claims).setProtectedHeader({ ...header, alg }).sign(key);
}

async function keyOf({ context }: InternalServer, { kid, alg }: Record<string, unknown>) {
  return await context.keys.find(String(kid)) ?? await context.keys.active(alg as SigningAlgorithm);
}

function claims(
  change: (draft: JwtDraft) => Record<string, unknown>,
): NonNullable<JwtChange["change"]> {
  return (draft) => ({ header: draft.header, claims: { ...draft.claims, ...change(draft) } });
}

function seconds({ server }: FaultContext): number {
  return Math.floor(server.context.now() / 1000);
}

function encode(value: object): string {
  return base64url.encode(JSON.stringify(value));
}
