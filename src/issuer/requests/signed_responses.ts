import type { ResponseParameters } from "../../protocol/authorization_response.ts";
import type { ResponseTarget } from "../../protocol/response_target.ts";
import { minute } from "../../util/duration.ts";
import type { Context } from "../context.ts";
import { signJwt } from "../keys/own_jwt.ts";
import { numericDate } from "../time.ts";

/** For so long a signed response is good, in seconds. */
const lifetime = 10 * minute;

/** Writes an authorization response as a JWT, so that nobody on its way can change it (JARM, section 2.1). */
export async function signResponse(
  ctx: Context,
  members: ResponseParameters,
  { audience, alg = ctx.settings.idTokenAlg }: NonNullable<ResponseTarget["signedFor"]>,
): Promise<string> {
  const iat = numericDate(ctx);
  return await signJwt(ctx, alg, "JWT", { ...members, aud: audience, iat, exp: iat + lifetime });
}
