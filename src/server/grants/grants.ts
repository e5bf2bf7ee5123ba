import { authorizationCodeGrant } from "./authorization_code.ts";
import { clientCredentialsGrant } from "./client_credentials.ts";
import type { Grant } from "./grant.ts";
import { refreshTokenGrant } from "./refresh_token.ts";

/** The grants of the core. */
export const coreGrants: readonly Grant[] = [
  authorizationCodeGrant,
  refreshTokenGrant,
  clientCredentialsGrant,
];
