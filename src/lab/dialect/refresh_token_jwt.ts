import type { Context } from "../../server/issuer/context.ts";
import { digest } from "../../server/util/crypto/hash.ts";
import { readJwt } from "../recording/credentials.ts";
import { jsonOf, type WireResponse, withJson } from "../recording/exchange.ts";
import { signJwt } from "../tokens/signed_tokens.ts";
import { fillMembers, type TemplateValues } from "./template.ts";

const header = { alg: "HS512", typ: "JWT" };

/**
 * Returns a token response whose refresh token is a JWT; its `jti` is the token that the server
 * knows. The signature only gives it its form: the server believes nothing that the claims say.
 */
export async function withRefreshTokenJwt(
  { settings: { issuer } }: Context,
  response: WireResponse,
  claims: Readonly<Record<string, unknown>>,
  values: TemplateValues,
): Promise<WireResponse> {
  const token = jsonOf(response)?.refresh_token;
  if (typeof token !== "string") return response;
  const key = await digest("SHA-512", issuer);
  const all = { ...fillMembers(claims, values), jti: token };
  const refresh_token = await signJwt({ header, claims: all, key });
  return withJson(response, (body) => ({ ...body, refresh_token }));
}

/** Returns the refresh token that the server knows, for a JWT that a client presents. */
export function refreshTokenIn(token: string): string | undefined {
  const jwt = readJwt(token);
  const jti = jwt?.header.alg === header.alg ? jwt.claims.jti : undefined;
  return typeof jti === "string" ? jti : undefined;
}
