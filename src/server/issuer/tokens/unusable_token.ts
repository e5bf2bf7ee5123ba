import { decodeJwt } from "jose";
import { describeSpan } from "../../util/time/duration.ts";
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
  return await describeStored(ctx, token) ?? await describeJwt(ctx, token);
}

/** Returns how to fix a request with a token that was described; undefined if any token is wrong. */
export function adviceForUnusable(problem: string | undefined): string | undefined {
  if (problem === undefined) return undefined;
  if (problem.startsWith("a refresh token")) return "Send the access_token, not the refresh_token.";
  if (problem.startsWith("an ID token")) return "Send the access_token, not the id_token.";
  if (problem.startsWith("one that expired")) return "Refresh the access token, and try again.";
  return problem.startsWith("an access token that was revoked")
    ? "Request new tokens: a token that was revoked never becomes active again."
    : undefined;
}

/** Describes a token that the server stored. Its text may look like a JWT if it was chosen. */
async function describeStored(
  { records, now }: Context,
  token: string,
): Promise<string | undefined> {
  if (await records.refreshTokens.getStored(token)) return "a refresh token";
  const row = await records.opaqueTokens.getStored(token);
  return row && describeAge("access token", toMilliseconds(row.value.claims.exp) - now());
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
