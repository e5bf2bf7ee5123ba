import type { ResponseParameters } from "../../protocol/authorization_response.ts";
import type { ResponseSigning } from "../../protocol/response_target.ts";
import { minute } from "../../util/time/duration.ts";
import { findClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { signJwt } from "../keys/own_jwt.ts";
import { numericDate } from "../time.ts";

/** How long a signed response is valid, in seconds. */
const lifetime = 10 * minute;

/**
 * Signs an authorization response as a JWT, so that it cannot be changed on its way (JARM, section
 * 2.1), and puts it into the envelope that its client demands.
 */
export async function signResponse(
  ctx: Context,
  parameters: ResponseParameters,
  { audience, alg = ctx.settings.idTokenAlg }: ResponseSigning,
): Promise<string> {
  const iat = numericDate(ctx);
  const claims = { ...parameters, aud: audience, iat, exp: iat + lifetime };
  const jwt = await signJwt(ctx, alg, "JWT", claims);
  const { envelope } = ctx.features;
  const client = envelope && await findClient(ctx, audience);
  if (!envelope || !client) return jwt;
  return await envelope.seal(ctx, client, "authorizationResponse", () => jwt) ?? jwt;
}
