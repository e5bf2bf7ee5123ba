import { jwtBearerGrantType } from "../protocol/grant_types.ts";
import { once } from "../util/time/promises.ts";
import { authorizationCodeGrant } from "./authorization_code.ts";
import { clientCredentialsGrant } from "./client_credentials.ts";
import type { Grant } from "./grant.ts";
import { refreshTokenGrant } from "./refresh_token.ts";

type RareGrants = typeof import("./rare_grants.ts");

export const loadRareGrants = once(() => import("./rare_grants.ts"));

/** The grants of the core. */
export const coreGrants: readonly Grant[] = [
  authorizationCodeGrant,
  refreshTokenGrant,
  clientCredentialsGrant,
  lazyGrant(jwtBearerGrantType, ({ jwtBearerGrant }) => jwtBearerGrant),
];

/** Returns a grant that few clients use: its code loads with its first request. */
function lazyGrant(type: string, find: (module: RareGrants) => Grant): Grant {
  return {
    type,
    redeem: async (ctx, request) => await find(await loadRareGrants()).redeem(ctx, request),
  };
}
