import type { AccessTokenClaims } from "../../protocol/access_token.ts";
import type { AuthorizationDetail } from "../../protocol/authorization_details.ts";
import type { ClaimedToken } from "../../protocol/token_exchange.ts";
import type { Context } from "../context.ts";
import { verifyOwnJwt } from "../keys/own_jwt.ts";
import type { Authorization } from "../records/rows.ts";
import { findStanding } from "../authorizations/standing.ts";
import { findStandingToken } from "./standing_tokens.ts";
import { parentOf } from "./token_ids.ts";

/** A token of ours that stands, as far as an exchange asks about it. */
export interface Exchangeable {
  claims: Pick<AccessTokenClaims, "sub" | "aud" | "jti" | "exp" | "act" | "may_act" | "cnf">;
  /** The client that it was issued to. */
  clientId: string;
  scope: string[];
  authorizationDetails?: AuthorizationDetail[];
  authorization?: Authorization;
}

/** Finds a token that a client presents in an exchange. */
export async function findExchangeable(ctx: Context, { token, type }: ClaimedToken): Promise<Exchangeable | undefined> {
  return type === "id_token" ? await findIdToken(ctx, token) : await findAccessToken(ctx, token);
}

async function findAccessToken(ctx: Context, token: string): Promise<Exchangeable | undefined> {
  const found = await findStandingToken(ctx, token);
  if (found?.kind !== "access") return undefined;
  const { claims, client, standing } = found;
  return {
    claims,
    clientId: client.id,
    scope: claims.scope.split(" "),
    authorizationDetails: claims.authorization_details,
    authorization: standing?.authorization,
  };
}

/** An ID token has no scope of its own: what stands behind it is all that was allowed when it was issued. */
async function findIdToken(ctx: Context, token: string): Promise<Exchangeable | undefined> {
  const claims = await verifyOwnJwt(ctx, token, "JWT") as AccessTokenClaims | undefined;
  const parent = typeof claims?.jti === "string" ? parentOf(claims.jti) : undefined;
  const standing = parent === undefined ? undefined : await findStanding(ctx, parent);
  if (!claims || !standing || claims.aud !== standing.client.id) return undefined;
  const { authorization, client } = standing;
  const { scope, authorizationDetails } = authorization;
  return { claims, clientId: client.id, scope, authorizationDetails, authorization };
}
