import { decodeJwt } from "jose";
import { describeSpan } from "../../util/time/describe_span.ts";
import type { Context } from "../context.ts";
import { verifyOwnJwt } from "../keys/own_jwt.ts";
import { toMilliseconds } from "../time.ts";

/**
 * Describes a token that is not what a request needs, for the developer of a client. Returns
 * undefined where errors are not explained.
 */
export async function describeUnusableToken(
  ctx: Context,
  token: string,
): Promise<string | undefined> {
  if (!ctx.settings.hints) return undefined;
  return token.includes(".") ? await describeJwt(ctx, token) : await describeOpaque(ctx, token);
}

async function describeOpaque({ records, now }: Context, token: string): Promise<string> {
  if (await records.refreshTokens.getStored(token)) return "a refresh token";
  const row = await records.opaqueTokens.getStored(token);
  if (!row) return "text that is no token of this server";
  return describeAge("access token", toMilliseconds(row.value.claims.exp) - now());
}

async function describeJwt(ctx: Context, token: string): Promise<string> {
  const issuer = issuerOf(token);
  if (issuer === undefined) return "text that is no token of this server";
  if (issuer !== ctx.settings.issuer) return `a JWT of the issuer '${issuer}'`;
  for (const kind of ["access token", "id token"] as const) {
    const claims = await verifyOwnJwt(ctx, token, kind, "any age");
    const name = kind === "id token" ? "ID token" : kind;
    if (claims) return describeAge(name, toMilliseconds(claims.exp ?? 0) - ctx.now());
  }
  return "a JWT that was changed, or signed with an unknown key, or that is no token";
}

/** Returns the issuer that a JWT names, without verifying it. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss ?? "";
  } catch {
    return undefined;
  }
}

function describeAge(name: string, left: number): string {
  const expired = `that expired ${describeSpan(-left)} ago`;
  if (name === "ID token") return left > 0 ? "an ID token" : `an ID token ${expired}`;
  return left > 0
    ? "an access token that was revoked, or whose client or user changed"
    : `one ${expired}`;
}
