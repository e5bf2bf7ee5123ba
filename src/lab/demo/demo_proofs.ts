import { importJWK, SignJWT } from "jose";
import { type Context, endpointUrl } from "../../issuer/context.ts";
import { randomId } from "../../issuer/random.ts";
import { numericDate } from "../../issuer/time.ts";
import { minute } from "../../util/duration.ts";
import { demoKey, demoPublicKey } from "./demo_key.ts";

const assertionLifetime = 1 * minute;

/** The signed JWTs of a demo client's token request. They expire about as soon as its code. */
export interface DemoProofs {
  clientAssertion: string;
  dpopProof: string;
}

/** Signs a client assertion and a DPoP proof as the client would (RFC 7523, section 3; RFC 9449, section 4.2). */
export async function signDemoProofs(ctx: Context, clientId: string): Promise<DemoProofs> {
  const iat = numericDate(ctx);
  const assertionClaims = {
    iss: clientId,
    sub: clientId,
    aud: ctx.settings.issuer,
    jti: randomId(ctx),
    iat,
    exp: iat + assertionLifetime,
  };
  const proofClaims = {
    htm: "POST",
    htu: endpointUrl(ctx, "token_endpoint"),
    jti: randomId(ctx),
    iat,
  };
  return {
    clientAssertion: await sign(assertionClaims, { kid: demoKey.kid }),
    dpopProof: await sign(proofClaims, { typ: "dpop+jwt", jwk: demoPublicKey }),
  };
}

async function sign(
  claims: Record<string, unknown>,
  header: Record<string, unknown>,
): Promise<string> {
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", ...header })
    .sign(await importJWK(demoKey));
}
