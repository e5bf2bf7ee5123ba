import { authorizationCodeGrant } from "./authorization_code.ts";
import { clientCredentialsGrant } from "./client_credentials.ts";
import { deviceCodeGrant } from "./device_code.ts";
import type { Grant } from "./grant.ts";
import { jwtBearerGrant } from "./jwt_bearer.ts";
import { refreshTokenGrant } from "./refresh_token.ts";
import { tokenExchangeGrant } from "./token_exchange.ts";

/** All grants. The token endpoint redeems them, and the metadata lists them. */
export const grants: readonly Grant[] = [
  authorizationCodeGrant,
  refreshTokenGrant,
  clientCredentialsGrant,
  deviceCodeGrant,
  tokenExchangeGrant,
  jwtBearerGrant,
];

export const grantTypes: readonly string[] = grants.map((grant) => grant.type);

export function findGrant(type: string): Grant | undefined {
  return grants.find((grant) => grant.type === type);
}
