import { CompactSign, compactVerify, SignJWT } from "jose";
import type { Context } from "../../server/issuer/context.ts";
import { isCanonical } from "../../server/issuer/keys/own_jwt.ts";
import { hmacKeyFor } from "../../server/issuer/requests/id_token_hint.ts";
import { toMilliseconds } from "../../server/issuer/time.ts";
import type { AccessTokenClaims } from "../../server/model/access_token.ts";
import { signingAlgorithms } from "../../server/model/signing.ts";
import { type DecodedJwt, readJwt } from "../recording/credentials.ts";
import { LabError } from "../util/lab_error.ts";
import { sealedTextOf } from "./sealed.ts";

/** A JWT before it is signed again with the key of the server. */
export interface TokenDraft {
  /** The header of the JWT; empty for an opaque token. */
  header: Record<string, unknown>;
  /** The claims. */
  claims: Record<string, unknown>;
}

export interface UnsignedJwt extends DecodedJwt {
  key: CryptoKey | Uint8Array;
}

/** Reads a token that the server issued: a JWT, or an opaque access token. */
export async function readToken(ctx: Context, token: string): Promise<TokenDraft | undefined> {
  const row = await ctx.records.opaqueTokens.find(token);
  return row ? { header: {}, claims: { ...row.claims } } : readJwt(token);
}

/**
 * Decodes a JWT that the server issued; returns undefined for an opaque token, which may look like
 * a JWT if a test chose it.
 */
export async function readSignedToken(
  { records: { opaqueTokens } }: Context,
  token: string,
): Promise<DecodedJwt | undefined> {
  return await opaqueTokens.get(token) ? undefined : readJwt(token);
}

/**
 * Changes a token, and signs it again with the key of the server, or stores an opaque one again.
 * One that is encrypted is changed inside, and encrypted again.
 */
export async function changeToken(
  ctx: Context,
  token: string,
  change: (draft: TokenDraft) => TokenDraft | Promise<TokenDraft>,
): Promise<string> {
  const sealed = sealedTextOf(ctx, token);
  if (sealed) return await sealed.seal(await changeToken(ctx, sealed.text, change));
  const row = await ctx.records.opaqueTokens.find(token);
  if (row) {
    const { claims } = await change({ header: {}, claims: { ...row.claims } });
    return await storeOpaqueToken(ctx, token, claims);
  }
  const jwt = await readSignedToken(ctx, token);
  if (!jwt) throw unreadable();
  const { aud } = jwt.claims;
  const { header, claims } = await change(jwt);
  return await signJwt({ header, claims, key: await signingKeyOf(ctx, header, aud) });
}

/** Stores an opaque token of the server with other claims. */
export async function storeOpaqueToken(
  { records: { opaqueTokens } }: Context,
  token: string,
  changes: Record<string, unknown>,
  omit: readonly string[] = [],
): Promise<string> {
  const row = await opaqueTokens.find(token);
  if (!row) throw unreadable();
  const changed = { ...row.claims, ...changes };
  const kept = Object.entries(changed).filter(([name]) => !omit.includes(name));
  const claims = Object.fromEntries(kept) as unknown as AccessTokenClaims;
  await opaqueTokens.put(token, { claims }, toMilliseconds(changed.exp));
  return token;
}

/** A token that kept its claims in silence would let a test pass that checks the change. */
function unreadable(): LabError {
  return new LabError("The lab cannot change a token that it cannot read.");
}

/** Signs a JWT by the algorithm in its header. */
export async function signJwt({ header, claims, key }: UnsignedJwt): Promise<string> {
  return await new SignJWT(claims)
    .setProtectedHeader({ ...header, alg: String(header.alg) })
    .sign(key);
}

export async function signPayload(
  { header, key, payload }: Pick<UnsignedJwt, "header" | "key"> & { payload: string },
): Promise<string> {
  return await new CompactSign(new TextEncoder().encode(payload))
    .setProtectedHeader({ ...header, alg: String(header.alg) })
    .sign(key);
}

/** Returns the key that signed a token: one of the server, or the secret of its client. */
export async function signingKeyOf(
  ctx: Context,
  { kid, alg }: DecodedJwt["header"],
  audience: unknown,
): Promise<CryptoKey | Uint8Array> {
  const key = alg === "HS256"
    ? await hmacKeyFor(ctx, audience)
    : await (await ctx.keys.find(String(kid)))?.privateKey();
  if (key) return key;
  const known = signingAlgorithms.find((each) => each === alg);
  if (!known) throw new LabError(`The lab has no key that signs with '${String(alg)}'.`);
  return await (await ctx.keys.active(known)).privateKey();
}

/** Whether a JWT is signed by the server, and encoded as it encodes them. */
export async function isSignedByServer(
  ctx: Context,
  jwt: string,
  { header: { kid, alg }, claims: { aud } }: DecodedJwt,
): Promise<boolean> {
  const key = alg === "HS256"
    ? await hmacKeyFor(ctx, aud)
    : await (await ctx.keys.find(String(kid)))?.publicKey();
  return key !== undefined && isCanonical(jwt) && await isSignedBy(jwt, key, String(alg));
}

/** Whether a key verifies the signature of a JWT. */
export async function isSignedBy(
  jwt: string,
  key: CryptoKey | Uint8Array,
  alg: string,
): Promise<boolean> {
  try {
    await compactVerify(jwt, key, { algorithms: [alg] });
    return true;
  } catch {
    return false;
  }
}
