import { compactVerify } from "jose";
import type { Context } from "../../../server/issuer/context.ts";
import { numericDate, toMilliseconds } from "../../../server/issuer/time.ts";
import type { SigningAlgorithm } from "../../../server/model/signing.ts";
import { readJwt } from "../../recording/credentials.ts";
import { signJwt } from "../../tokens/signed_tokens.ts";
import type { MockState } from "./mock_state.ts";
import type { TokenCallback } from "./token_callback.ts";

/** Who issues a token. */
export interface MockSigner {
  context: Context;
  alg: SigningAlgorithm;
  /** The URL of the issuer. */
  issuer: string;
  /** Its name, which is the `kid` of its key. */
  issuerId: string;
}

/** Returns who issues the tokens of an exchange. */
export function signerOf(
  { state, context, issuer, issuerId }: {
    state: Pick<MockState, "alg">;
    context: Context;
    issuer: string;
    issuerId: string;
  },
): MockSigner {
  return { context, alg: state.alg, issuer, issuerId };
}

/** Signs a token; claims of the callback replace others. */
export async function signMockToken(
  { context, alg, issuer, issuerId }: MockSigner,
  { subject, expiry, claims, typeHeader }: TokenCallback,
  given: Record<string, unknown>,
): Promise<string> {
  const now = numericDate(context);
  const all = {
    ...given,
    sub: subject ?? given.sub,
    iss: issuer,
    iat: now,
    nbf: now,
    exp: now + expiry,
    jti: crypto.randomUUID(),
    ...claims,
  };
  const present = Object.entries(all).filter(([, value]) => value !== undefined);
  return await signJwt({
    header: { typ: typeHeader, alg, kid: issuerId },
    claims: Object.fromEntries(present),
    key: (await context.keys.active(alg)).privateKey,
  });
}

/** Returns the public key of an issuer. All issuers share one, by different names. */
export async function publicKeyOf({ context, alg, issuerId }: MockSigner): Promise<object> {
  const { publicJwk } = await context.keys.active(alg);
  return { ...publicJwk, kid: issuerId };
}

/** Returns the claims of a token that an issuer signed and that has not expired, or undefined. */
export async function verifyMockToken(
  { context, alg, issuer }: MockSigner,
  token: string,
): Promise<Record<string, unknown> | undefined> {
  const claims = readJwt(token)?.claims;
  if (claims?.iss !== issuer || toMilliseconds(Number(claims.exp)) <= context.now()) {
    return undefined;
  }
  try {
    await compactVerify(token, (await context.keys.active(alg)).publicKey, { algorithms: [alg] });
    return claims;
  } catch {
    return undefined;
  }
}

/** One audience is written as a text, as the peer does. */
export function audienceClaim(audience: readonly string[]): string | readonly string[] | undefined {
  if (audience.length === 0) return undefined;
  return audience.length === 1 ? audience[0] : audience;
}
