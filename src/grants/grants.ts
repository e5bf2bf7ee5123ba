import { authorizationCode } from "./authorization_code.ts";
import { clientCredentials } from "./client_credentials.ts";
import { deviceCode } from "./device_code.ts";
import type { Grant } from "./grant.ts";
import { jwtBearer } from "./jwt_bearer.ts";
import { refreshToken } from "./refresh_token.ts";
import { tokenExchange } from "./token_exchange.ts";

/** All grants. The token endpoint redeems them, and the metadata lists them. */
export const grants: readonly Grant[] = [
  authorizationCode,
  refreshToken,
  clientCredentials,
  deviceCode,
  tokenExchange,
  jwtBearer,
];

export const grantTypes: readonly string[] = grants.map((grant) => grant.type);

export function findGrant(type: string): Grant | undefined {
  return grants.find((grant) => grant.type === type);
}
