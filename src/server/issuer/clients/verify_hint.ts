import { decodeJwt, errors, type JWTPayload, jwtVerify } from "jose";
import { jwtKindOf } from "../../protocol/jwt.ts";
import type { Context } from "../context.ts";
import { hmacKey } from "../keys/client_secrets_at_rest.ts";
import { isCanonical, verifyOwnJwt } from "../keys/own_jwt.ts";
import { findClient } from "./clients.ts";

/**
 * Returns the claims of an ID token of any age that comes back as a hint. One that was signed with
 * the secret of its client proves less, because the client can sign as well: it is a hint about
 * this client's user and nothing else, and no exchange takes it.
 */
export async function verifyHint(ctx: Context, jwt: string): Promise<JWTPayload | undefined> {
  return await verifyOwnJwt(ctx, jwt, "id token", "any age") ?? await verifyHmac(ctx, jwt);
}

/** Returns the secret that signs the tokens of this audience; undefined if one of our keys does. */
export async function hmacKeyFor(ctx: Context, audience: unknown): Promise<Uint8Array | undefined> {
  return (await hmacKeysFor(ctx, audience))[0];
}

/** Returns the secrets that may have signed the tokens of this audience. */
async function hmacKeysFor(ctx: Context, audience: unknown): Promise<Uint8Array[]> {
  const client = typeof audience === "string" ? await findClient(ctx, audience) : undefined;
  if (client?.idTokenAlg !== "HS256") return [];
  const keys = await Promise.all(client.secrets.map((each) => hmacKey(ctx, client.id, each)));
  return keys.filter((key) => key !== undefined);
}

async function verifyHmac(ctx: Context, jwt: string): Promise<JWTPayload | undefined> {
  if (!isCanonical(jwt)) return undefined;
  for (const secret of await hmacKeysFor(ctx, unverifiedAudience(jwt))) {
    const claims = await verifyWithSecret(ctx, jwt, secret);
    if (claims) return claims;
  }
  return undefined;
}

async function verifyWithSecret(
  ctx: Context,
  jwt: string,
  secret: Uint8Array,
): Promise<JWTPayload | undefined> {
  try {
    const { payload, protectedHeader } = await jwtVerify(jwt, secret, {
      issuer: ctx.settings.issuer,
      algorithms: ["HS256"],
      // A hint may have expired. At this time no token had.
      currentDate: new Date(0),
    });
    return jwtKindOf(protectedHeader.typ, payload) === "id token" ? payload : undefined;
  } catch (cause) {
    if (cause instanceof errors.JOSEError) return undefined;
    throw cause;
  }
}

function unverifiedAudience(jwt: string): unknown {
  try {
    return decodeJwt(jwt).aud;
  } catch {
    return undefined;
  }
}
