import { importJWK, SignJWT } from "jose";
import type { ClientConfig } from "../../server/features.ts";
import type { Context } from "../../server/issuer/context.ts";
import { randomId } from "../../server/issuer/random.ts";
import { numericDate } from "../../server/issuer/time.ts";
import { sha256 } from "../../server/util/crypto/hash.ts";
import { minute } from "../../server/util/time/duration.ts";
import { demoKey, demoPublicKey } from "../demo/demo_keys.ts";

const assertionLifetime = 1 * minute;

/** Whether the lab can sign in the place of a client: the client has the demo key. */
export function hasDemoKey({ jwks }: ClientConfig): boolean {
  return jwks?.keys.some(({ kid, x }) => kid === demoKey.kid && x === demoKey.x) ?? false;
}

/** Signs a client assertion (RFC 7523, section 3). It works once. */
export async function signClientAssertion(
  ctx: Context,
  clientId: string,
  { lifetime = assertionLifetime, audience = ctx.settings.issuer }: {
    /**
     * In seconds.
     *
     * @default a minute
     */
    lifetime?: number | undefined;
    /** @default the issuer */
    audience?: string | undefined;
  } = {},
): Promise<string> {
  const iat = numericDate(ctx);
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: audience,
    jti: randomId(ctx),
    iat,
    exp: iat + lifetime,
  };
  return await sign(claims, { kid: demoKey.kid });
}

/** Signs a DPoP proof (RFC 9449, section 4.2). */
export async function signDpopProof(
  ctx: Context,
  { method, url, accessToken }: { method: string; url: string; accessToken?: string | undefined },
): Promise<string> {
  const claims = {
    htm: method,
    htu: url,
    jti: randomId(ctx),
    iat: numericDate(ctx),
    ...accessToken !== undefined && { ath: await sha256(accessToken) },
  };
  return await sign(claims, { typ: "dpop+jwt", jwk: demoPublicKey });
}

/** Signs an authorization request (RFC 9101, section 4). */
export async function signRequestObject(
  ctx: Context,
  clientId: string,
  parameters: Record<string, string | string[]>,
): Promise<string> {
  const nbf = numericDate(ctx);
  const times = { iat: nbf, nbf, exp: nbf + 5 * minute, jti: randomId(ctx) };
  const claims = { iss: clientId, aud: ctx.settings.issuer, ...times, ...parameters };
  return await sign(claims, { kid: demoKey.kid, typ: "oauth-authz-req+jwt" });
}

async function sign(
  claims: Record<string, unknown>,
  header: Record<string, unknown>,
): Promise<string> {
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", ...header })
    .sign(await importJWK(demoKey));
}
