import {
  base64url,
  CompactSign,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
} from "jose";
import type { SigningAlgorithm } from "../../model/signing.ts";
import { type JwtKind, jwtKindOf } from "../../protocol/jwt.ts";
import { encodeBase64url, encodeUtf8 } from "../../util/bytes/encoding.ts";
import { isPromise } from "../../util/time/promises.ts";
import type { Context } from "../context.ts";

/** Signs claims with the active key of an algorithm. */
export async function signJwt(
  ctx: Context,
  alg: SigningAlgorithm,
  typ: string | undefined,
  claims: object,
): Promise<string> {
  const key = ctx.keys.active(alg);
  const { kid, privateKey, signNatively } = isPromise(key) ? await key : key;
  const payload = JSON.stringify(claims);
  const header = typ === undefined ? { alg, kid } : { alg, typ, kid };
  if (signNatively) {
    const signed = `${encodeBase64url(JSON.stringify(header))}.${encodeBase64url(payload)}`;
    const signature = signNatively(encodeUtf8(signed));
    return `${signed}.${encodeBase64url(isPromise(signature) ? await signature : signature)}`;
  }
  return await new CompactSign(encodeUtf8(payload))
    .setProtectedHeader(header)
    .sign(await privateKey());
}

/** Returns the claims of a JWT that this server signed, if it has the given kind and age. */
export async function verifyOwnJwt(
  ctx: Context,
  jwt: string,
  kind: JwtKind,
  age: "not expired" | "any age" = "not expired",
): Promise<JWTPayload | undefined> {
  if (!isCanonical(jwt)) return undefined;
  const key = await ctx.keys.find(keyIdOf(jwt));
  if (!key) return undefined;
  // In 1970 no token had expired.
  const currentDate = new Date(age === "not expired" ? ctx.now() : 0);
  try {
    const { payload, protectedHeader } = await jwtVerify(jwt, await key.publicKey(), {
      issuer: ctx.settings.issuer,
      algorithms: [key.alg],
      currentDate,
    });
    return jwtKindOf(protectedHeader.typ, payload) === kind ? payload : undefined;
  } catch (cause) {
    if (cause instanceof errors.JOSEError) return undefined;
    throw cause;
  }
}

/** Returns the `kid` that a JWT names; "" if it is not a JWT. */
export function keyIdOf(jwt: string): string {
  try {
    return decodeProtectedHeader(jwt).kid ?? "";
  } catch {
    return "";
  }
}

/**
 * Base64 can encode the same bytes in several ways. Only the encoding that was issued is the token.
 */
export function isCanonical(jwt: string): boolean {
  const parts = jwt.split(".");
  return parts.length === 3 &&
    parts.every((text) =>
      /^[\w-]+$/.test(text) && text.length % 4 !== 1 &&
      base64url.encode(base64url.decode(text)) === text
    );
}
