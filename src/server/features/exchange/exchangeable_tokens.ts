import { findActiveAuthorization } from "../../issuer/authorizations/active_authorization.ts";
import type { Context } from "../../issuer/context.ts";
import { verifyOwnJwt } from "../../issuer/keys/own_jwt.ts";
import type { Authorization } from "../../issuer/records/rows.ts";
import { exchangedBy } from "../../issuer/tokens/access_tokens.ts";
import { findActiveToken } from "../../issuer/tokens/active_tokens.ts";
import { readTokenId } from "../../issuer/tokens/token_ids.ts";
import type { AccessTokenClaims, AuthorizationDetail } from "../../model/access_token.ts";
import type { ClientReference } from "../../model/client.ts";
import type { TokenParameter } from "./token_exchange_request.ts";

/** An active token of this server, with what an exchange has to know about it. */
export interface ExchangeableToken {
  claims: Pick<AccessTokenClaims, "sub" | "aud" | "jti" | "exp" | "act" | "may_act" | "cnf">;
  /** The ids of all tokens that were exchanged for the next one, and at last that of the token. */
  chain: readonly string[];
  /** The client that it was issued to. */
  clientId: string;
  scope: string[];
  authorizationDetails: AuthorizationDetail[] | undefined;
  authorization: Authorization | undefined;
  /** The clients that exchanged it before, in order. */
  exchangedBy: readonly ClientReference[];
}

/** Finds a token that a client presents in an exchange. */
export async function findExchangeable(
  ctx: Context,
  { token, type }: TokenParameter,
): Promise<ExchangeableToken | undefined> {
  return type === "id_token" ? await findIdToken(ctx, token) : await findAccessToken(ctx, token);
}

async function findAccessToken(
  ctx: Context,
  token: string,
): Promise<ExchangeableToken | undefined> {
  const activeToken = await findActiveToken(ctx, token);
  if (activeToken?.kind !== "access") return undefined;
  const { claims, origin, client, active } = activeToken;
  return {
    claims,
    chain: origin.chain,
    clientId: client.id,
    scope: claims.scope.split(" "),
    authorizationDetails: claims.authorization_details,
    authorization: active?.authorization,
    exchangedBy: exchangedBy(claims),
  };
}

/** An ID token has no scope: it represents everything that was allowed when it was issued. */
async function findIdToken(ctx: Context, token: string): Promise<ExchangeableToken | undefined> {
  const claims = await verifyOwnJwt(ctx, token, "id token") as AccessTokenClaims | undefined;
  if (typeof claims?.jti !== "string") return undefined;
  const { authorizationId, chain } = readTokenId(claims.jti);
  if (authorizationId === undefined) return undefined;
  const active = await findActiveAuthorization(ctx, { authorization: authorizationId });
  if (!active || claims.aud !== active.client.id) return undefined;
  const { authorization, client } = active;
  const { scope, authorizationDetails } = authorization;
  return {
    claims,
    chain,
    clientId: client.id,
    scope,
    authorizationDetails,
    authorization,
    exchangedBy: [],
  };
}
