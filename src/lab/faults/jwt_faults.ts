import { base64url, generateKeyPair, importJWK, SignJWT } from "jose";
import { hour } from "../../protocol/duration.ts";
import type { SigningAlgorithm } from "../../protocol/signing.ts";
import type { Server } from "../../server.ts";
import { foreignRsaKey } from "../keys/baked_keys.ts";
import { readJwt } from "../watch/credentials.ts";
import type { WireResponse } from "../watch/exchange.ts";
import { jsonOf } from "../watch/exchange.ts";
import type { FaultKind, Scene } from "./fault.ts";
import { places } from "./places.ts";
import { withJson } from "./token_faults.ts";

export type JwtFault = `id_token.${JwtForgery | IdTokenForgery}` | `access_token.${JwtForgery}`;

type JwtForgery =
  | "wrong_iss"
  | "wrong_aud"
  | "wrong_azp"
  | "expired"
  | "issued_in_future"
  | "unknown_kid"
  | "alg_none"
  | "hs256_with_public_key"
  | "foreign_signature";

type IdTokenForgery = "wrong_nonce" | "without_nonce" | "wrong_at_hash" | "wrong_sub";

/** A JWT that is taken apart, with what it takes to put it together again. */
interface Draft {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  scene: Scene;
}

interface Forgery {
  what: string;
  /** Claims and header as they shall be; they are signed properly. */
  change?(draft: Draft): Pick<Draft, "header" | "claims">;
  /** The claim without which there is nothing to be wrong. */
  needs?: string;
  /** Another way to sign. */
  sign?(draft: Draft): Promise<string>;
}

const stranger = "https://attacker.example";

/** What can be wrong with a token. */
const forgeries: Record<JwtForgery, Forgery> = {
  wrong_iss: { what: "names another issuer", change: claims(() => ({ iss: stranger })) },
  wrong_aud: { what: "is meant for somebody else", change: claims(() => ({ aud: "somebody-else" })) },
  wrong_azp: {
    what: "was issued to another party, as its azp says",
    change: claims(({ claims }) => ({ azp: "somebody-else", aud: [claims.aud, "somebody-else"].flat() })),
  },
  expired: { what: "expired an hour ago", change: claims(({ scene }) => ({ exp: seconds(scene) - hour, iat: seconds(scene) - 2 * hour })) },
  issued_in_future: {
    what: "is issued an hour from now",
    change: claims(({ scene }) => ({ iat: seconds(scene) + hour, exp: seconds(scene) + 2 * hour })),
  },
  unknown_kid: {
    what: "names a key that nobody has",
    change: ({ header, claims }) => ({ header: { ...header, kid: "nobody-has-this-key" }, claims }),
  },
  alg_none: {
    what: "is not signed at all: alg none",
    sign: async ({ header, claims }) => `${encode({ ...header, alg: "none" })}.${encode(claims)}.`,
  },
  hs256_with_public_key: { what: "is signed with HS256, the public key as the secret", sign: signWithPublicKey },
  foreign_signature: { what: "is signed with a key of somebody else, under the kid of ours", sign: signWithForeignKey },
};

/** What can be wrong with an ID token alone. */
const idTokenForgeries: Record<IdTokenForgery, Forgery> = {
  wrong_nonce: { what: "has another nonce than the request", needs: "nonce", change: claims(() => ({ nonce: "another-nonce" })) },
  without_nonce: { what: "has no nonce", needs: "nonce", change: ({ header, claims: { nonce: _, ...claims } }) => ({ header, claims }) },
  wrong_at_hash: {
    what: "belongs to another access token, as its at_hash says",
    change: claims(() => ({ at_hash: "AAAAAAAAAAAAAAAAAAAAAA" })),
  },
  wrong_sub: { what: "is about another user than userinfo", change: claims(() => ({ sub: "somebody-else" })) },
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
  all: Record<Word, Forgery>,
): Record<`${Member}.${Word}`, FaultKind> {
  const kinds = Object.entries<Forgery>(all).map(([word, forgery]): [string, FaultKind] => [`${member}.${word}`, {
    what: `The ${name} ${forgery.what}.`,
    concerns: places.token,
    fits: (answered) => {
      const jwt = jwtIn(answered, member);
      return jwt !== undefined && (forgery.needs === undefined || Object.hasOwn(readJwt(jwt)!.claims, forgery.needs));
    },
    spoil: async (answered, scene) => {
      const forged = await forge(jwtIn(answered, member)!, forgery, scene);
      return withJson(answered, (body) => ({ ...body, [member]: forged }));
    },
  }]);
  return Object.fromEntries(kinds) as Record<`${Member}.${Word}`, FaultKind>;
}

function jwtIn(answered: WireResponse, member: string): string | undefined {
  const value = jsonOf(answered)?.[member];
  return typeof value === "string" && readJwt(value) ? value : undefined;
}

async function forge(jwt: string, { change, sign }: Forgery, scene: Scene): Promise<string> {
  const draft: Draft = { ...readJwt(jwt)!, scene };
  return await (sign ?? signProperly)({ ...draft, ...change?.(draft) });
}

async function signProperly({ header, claims, scene }: Draft): Promise<string> {
  const { privateKey } = await keyOf(scene.server, header);
  return await new SignJWT(claims).setProtectedHeader({ ...header, alg: String(header.alg) }).sign(privateKey);
}

/** An API that takes the algorithm from the header verifies this with the key that everybody has. */
async function signWithPublicKey({ header, claims, scene }: Draft): Promise<string> {
  const { publicJwk } = await keyOf(scene.server, header);
  const secret = new TextEncoder().encode(JSON.stringify(publicJwk));
  return await new SignJWT(claims).setProtectedHeader({ ...header, alg: "HS256" }).sign(secret);
}

/** RSA takes too long to make for a test, but the lab has a key in store that is nobody's. */
async function signWithForeignKey({ header, claims }: Draft): Promise<string> {
  const alg = String(header.alg);
  const isRsa = alg === "RS256" || alg === "PS256";
  const key = isRsa ? await importJWK({ ...foreignRsaKey, alg }) : (await generateKeyPair(alg)).privateKey;
  return await new SignJWT(claims).setProtectedHeader({ ...header, alg }).sign(key);
}

async function keyOf({ context }: Server, { kid, alg }: Record<string, unknown>) {
  return await context.keys.find(String(kid)) ?? await context.keys.active(alg as SigningAlgorithm);
}

function claims(change: (draft: Draft) => Record<string, unknown>): NonNullable<Forgery["change"]> {
  return (draft) => ({ header: draft.header, claims: { ...draft.claims, ...change(draft) } });
}

function seconds({ server }: Scene): number {
  return Math.floor(server.context.now() / 1000);
}

function encode(value: object): string {
  return base64url.encode(JSON.stringify(value));
}
