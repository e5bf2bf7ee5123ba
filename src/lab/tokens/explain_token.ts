import type { Context } from "../../server/issuer/context.ts";
import { jwtKindOf } from "../../server/protocol/jwt.ts";
import { isUsable } from "../recording/presented_values.ts";
import { type ExplainedJwt, explainJwt, type JwtVerdict } from "./explain_jwt.ts";
import { verifySignature } from "./verify_signature.ts";

/** A JWT with the meaning of its members, and what the lab thinks of it. */
export interface ExplainedToken {
  jwt: ExplainedJwt;
  signature: JwtVerdict;
  /** Whether the lab accepts it now. Only for access tokens of this lab. */
  state?: JwtVerdict | undefined;
}

/** A lab, or a server alone, whose tokens clients get unchanged. */
export interface TokenIssuer {
  readonly context: Context;
  /** Returns the token that the server issued, for one that a client got. */
  originalOf?(token: string): Promise<string>;
}

/** Explains a JWT to the developer of a client; returns undefined for any other text. */
export async function explainToken(
  issuer: TokenIssuer,
  token: string,
): Promise<ExplainedToken | undefined> {
  const { context: ctx } = issuer;
  const jwt = explainJwt(token, ctx.now());
  if (!jwt) return undefined;
  const signature = await verifySignature(ctx, jwt);
  const original = await issuer.originalOf?.(token) ?? token;
  const known = original === token ? jwt : explainJwt(original, ctx.now());
  return { jwt, signature, state: known && await stateOf(ctx, known) };
}

async function stateOf(ctx: Context, jwt: ExplainedJwt): Promise<JwtVerdict | undefined> {
  const { header, claims, parts } = jwt;
  const isOwn = claims.iss === ctx.settings.issuer;
  if (!isOwn || jwtKindOf(header.typ, claims) !== "access token") return undefined;
  return stateVerdict(await isUsable(ctx, { kind: "access token", value: parts.join(".") }));
}

function stateVerdict(isActive: boolean): JwtVerdict {
  if (isActive) return { tone: "good", text: "It is active: this lab accepts it." };
  return { tone: "bad", text: "It is not active: this lab rejects it everywhere." };
}
