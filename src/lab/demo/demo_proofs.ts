import { importJWK, SignJWT } from "jose";
import { type Context, endpointUrl } from "../../issuer/context.ts";
import { randomId } from "../../issuer/random.ts";
import { numericDate } from "../../issuer/time.ts";
import { minute } from "../../util/duration.ts";
import { demoKey, demoPublicKey } from "./demo_key.ts";

const lifetime = 1 * minute;

/** What a demo client with a key sends with a token request; valid about as long as a code. */
export interface DemoProofs {
  clientAssertion: string;
  dpopProof: string;
}

/** Signs in the role of a client (RFC 7523, section 3; RFC 9449, section 4.2). */
export async function signDemoProofs(ctx: Context, clientId: string): Promise<DemoProofs> {
  const iat = numericDate(ctx);
  const assertion = {
    iss: clientId,
    sub: clientId,
    aud: ctx.settings.issuer,
    jti: randomId(ctx),
    iat,
    exp: iat + lifetime,
  };
  const proof = { htm: "POST", htu: endpointUrl(ctx, "token_endpoint"), jti: randomId(ctx), iat };
  return {
    clientAssertion: await sign(assertion, { kid: demoKey.kid }),
    dpopProof: await sign(proof, { typ: "dpop+jwt", jwk: demoPublicKey }),
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
