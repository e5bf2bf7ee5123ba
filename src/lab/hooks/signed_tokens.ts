import { base64url, SignJWT } from "jose";
import { hmacKeyFor } from "../../issuer/clients/id_token_signature.ts";
import type { Context } from "../../issuer/context.ts";
import { toMilliseconds } from "../../issuer/time.ts";
import { signingAlgorithms } from "../../model/signing.ts";
import type { InternalServer } from "../../server.ts";
import { digest } from "../../util/hash.ts";
import { LabError } from "../lab_error.ts";
import { readJwt } from "../recording/credentials.ts";
import type { TokenDraft } from "./hook.ts";

/** Reads a token that the server issued: a JWT, or an opaque access token. */
export async function readToken(
  { context }: InternalServer,
  token: string,
): Promise<TokenDraft | undefined> {
  const jwt = readJwt(token);
  if (jwt) return jwt;
  const row = await context.records.opaqueTokens.find(token);
  return row && { header: {}, claims: { ...row.claims } };
}

/** Signs a changed token again with the key of the server, or stores an opaque one again. */
export async function writeToken(
  { context }: InternalServer,
  token: string,
  { header, claims }: TokenDraft,
): Promise<string> {
  const row = readJwt(token) ? undefined : await context.records.opaqueTokens.find(token);
  if (row) {
    const changed = { ...row.claims, ...claims };
    await context.records.opaqueTokens.put(
      token,
      { claims: changed },
      toMilliseconds(changed.exp),
    );
    return token;
  }
  const alg = String(header.alg);
  return await new SignJWT(claims)
    .setProtectedHeader({ ...header, alg })
    .sign(await signingKeyOf(context, token, { header, claims }));
}

/** Returns the key that signed a token: one of the server, or the secret of its client. */
async function signingKeyOf(
  ctx: Context,
  token: string,
  { header: { kid, alg } }: TokenDraft,
): Promise<CryptoKey | Uint8Array> {
  const key = alg === "HS256"
    ? await hmacKeyFor(ctx, readJwt(token)?.claims.aud)
    : (await ctx.keys.find(String(kid)))?.privateKey;
  if (key) return key;
  const known = signingAlgorithms.find((each) => each === alg);
  if (!known) throw new LabError(`The lab has no key that signs with '${String(alg)}'.`);
  return (await ctx.keys.active(known)).privateKey;
}

/**
 * Returns the left half of a token's hash, which binds an ID token to it (OpenID Connect Core,
 * sections 3.1.3.6 and 3.3.2.11).
 */
export async function leftHalf(token: string, alg: unknown): Promise<string> {
  const hash = await digest(alg === "EdDSA" ? "SHA-512" : "SHA-256", token);
  return base64url.encode(hash.slice(0, hash.length / 2));
}
