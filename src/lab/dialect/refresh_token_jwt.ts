import type { InternalServer } from "../../server/server.ts";
import { digest } from "../../server/util/crypto/hash.ts";
import { readJwt } from "../recording/credentials.ts";
import type { WireResponse } from "../recording/exchange.ts";
import { changePart, tokenIn } from "../responses/part.ts";
import { signJwt } from "../tokens/signed_tokens.ts";
import { fillMembers, type TemplateValues } from "./template.ts";

const refreshToken = tokenIn("refresh_token");
const header = { alg: "HS512", typ: "JWT" };

/**
 * Returns a token response whose refresh token is a JWT; its `jti` is the token that the server
 * knows. The signature only gives it its form: the server believes nothing that the claims say.
 */
export async function withRefreshTokenJwt(
  server: InternalServer,
  response: WireResponse,
  claims: Readonly<Record<string, unknown>>,
  values: TemplateValues,
): Promise<WireResponse> {
  return await changePart(refreshToken, server, response, async (jti) => {
    const key = await digest("SHA-512", server.context.settings.issuer);
    return await signJwt({ header, claims: { ...fillMembers(claims, values), jti }, key });
  });
}

/** Returns the refresh token that the server knows, for a JWT that a client presents. */
export function refreshTokenIn(token: string): string | undefined {
  const jwt = readJwt(token);
  const jti = jwt?.header.alg === header.alg ? jwt.claims.jti : undefined;
  return typeof jti === "string" ? jti : undefined;
}
