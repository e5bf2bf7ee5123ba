import { importJWK, type JWK } from "jose";
import { findClient } from "../../server/issuer/clients/clients.ts";
import type { Context } from "../../server/issuer/context.ts";
import { hmacKeyFor } from "../../server/issuer/requests/id_token_hint.ts";
import { candidateKeys } from "../../server/protocol/client_key.ts";
import { jwtKindOf } from "../../server/protocol/jwt.ts";
import { isObject } from "../../server/util/text/json.ts";
import { isUsable } from "../recording/presented_values.ts";
import { showValue } from "../util/json_values.ts";
import { type ExplainedJwt, explainJwt, type JwtVerdict } from "./explain_jwt.ts";
import { isSignedBy } from "./signed_tokens.ts";

/** A JWT with the meaning of its members, and what the lab thinks of it. */
export interface ExplainedToken {
  jwt: ExplainedJwt;
  signature: JwtVerdict;
  /** Whether the lab accepts it now. Only for access tokens of this lab. */
  state?: JwtVerdict | undefined;
}

/** A lab, or a server alone, whose tokens clients get unchanged. */
export interface TokenIssuer {
  readonly context: Context;
  /** Returns the token that the server issued, for one that a client got. */
  originalOf?(token: string): Promise<string>;
}

/** A key that may have signed a JWT, and what it means if it did. */
interface CandidateKey {
  key: CryptoKey | Uint8Array;
  alg: string;
  meaning: string;
}

/** Explains a JWT to the developer of a client; returns undefined for any other text. */
export async function explainToken(
  issuer: TokenIssuer,
  token: string,
): Promise<ExplainedToken | undefined> {
  const { context: ctx } = issuer;
  const jwt = explainJwt(token, ctx.now());
  if (!jwt) return undefined;
  const signature = await verifySignature(ctx, jwt);
  const original = await issuer.originalOf?.(token) ?? token;
  const known = original === token ? jwt : explainJwt(original, ctx.now());
  return { jwt, signature, state: known && await stateOf(ctx, known) };
}

async function stateOf(ctx: Context, jwt: ExplainedJwt): Promise<JwtVerdict | undefined> {
  const { header, claims, parts } = jwt;
  const isOwn = claims.iss === ctx.settings.issuer;
  if (!isOwn || jwtKindOf(header.typ, claims) !== "access token") return undefined;
  return stateVerdict(await isUsable(ctx, { kind: "access token", value: parts.join(".") }));
}

function stateVerdict(isActive: boolean): JwtVerdict {
  if (isActive) return { tone: "good", text: "It is active: this lab accepts it." };
  return { tone: "bad", text: "It is not active: this lab rejects it everywhere." };
}

/** Verifies the signature of a JWT with the keys that the lab knows, and says with which one. */
async function verifySignature(ctx: Context, jwt: ExplainedJwt): Promise<JwtVerdict> {
  const { alg } = jwt.header;
  if (typeof alg !== "string") return bad("The header names no algorithm.");
  if (alg.toLowerCase() === "none") {
    return bad("It is unsigned (alg: none): anyone could have written it.");
  }
  const candidates = await candidatesFor(ctx, jwt, alg);
  if (candidates.length === 0) return await noKey(ctx, jwt);
  for (const { key, alg, meaning } of candidates) {
    if (await isSignedBy(jwt.parts.join("."), key, alg)) return { tone: "good", text: meaning };
  }
  return bad("The signature is wrong: the token was changed, or another key signed it.");
}

async function candidatesFor(
  ctx: Context,
  jwt: ExplainedJwt,
  alg: string,
): Promise<CandidateKey[]> {
  if (alg.startsWith("HS")) return await secretOf(ctx, jwt, alg);
  const own = await ctx.keys.find(showValue(jwt.header.kid ?? ""));
  if (own) {
    const meaning = `The signature is valid: key '${own.kid}' of this lab (${own.alg}).`;
    return [{ key: await own.publicKey(), alg: own.alg, meaning }];
  }
  const [embedded, clients] = await Promise.all([embeddedKey(jwt, alg), clientKeys(ctx, jwt, alg)]);
  return [...clients, ...embedded];
}

async function secretOf(ctx: Context, jwt: ExplainedJwt, alg: string): Promise<CandidateKey[]> {
  for (const id of [jwt.claims.aud, jwt.claims.iss]) {
    const key = await hmacKeyFor(ctx, id).catch(() => undefined);
    if (key) {
      return [{ key, alg, meaning: `The signature is valid: the secret of '${showValue(id)}'.` }];
    }
  }
  return [];
}

/** A DPoP proof brings its own key (RFC 9449, section 4.2). */
async function embeddedKey({ header }: ExplainedJwt, alg: string): Promise<CandidateKey[]> {
  if (!isObject(header.jwk)) return [];
  const key = await importKey(header.jwk, alg);
  const meaning = "The signature fits the key in its own header, which anyone could have chosen.";
  return key ? [{ key, alg, meaning }] : [];
}

/** Clients sign assertions and request objects with keys that they registered. */
async function clientKeys(
  ctx: Context,
  { header, claims }: ExplainedJwt,
  alg: string,
): Promise<CandidateKey[]> {
  const id = claims.iss ?? claims.client_id;
  const client = typeof id === "string" ? await findClient(ctx, id) : undefined;
  const kid = typeof header.kid === "string" ? header.kid : undefined;
  const jwks = candidateKeys(client?.jwks?.keys ?? [], { alg, kid }, client?.trusted);
  const keys = await Promise.all(jwks.map((jwk) => importKey(jwk, alg)));
  const meaning = `The signature is valid: a key of the client '${showValue(id)}'.`;
  return keys.flatMap((key) => key ? [{ key, alg, meaning }] : []);
}

async function importKey(jwk: JWK, alg: string): Promise<CryptoKey | Uint8Array | undefined> {
  return await importJWK(jwk, alg).catch(() => undefined);
}

async function noKey(ctx: Context, { header, claims }: ExplainedJwt): Promise<JwtVerdict> {
  const { issuer } = ctx.settings;
  if (claims.iss !== undefined && claims.iss !== issuer) {
    const text = `Not verified: '${showValue(claims.iss)}' issued it, whose keys this lab lacks.`;
    return { tone: "neutral", text };
  }
  const published = (await ctx.keys.published()).map(({ kid }) => kid).join(", ");
  const kid = header.kid === undefined ? "It names no key" : `No key is called '${header.kid}'`;
  return bad(`${kid}; those of this lab are ${published}.`);
}

function bad(text: string): JwtVerdict {
  return { tone: "bad", text };
}
