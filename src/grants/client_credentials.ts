import { isApiScope } from "../model/claims.ts";
import { isPublic } from "../model/client.ts";
import { readAccessRights } from "../protocol/access_request.ts";
import { errorFactory } from "../protocol/oauth_error.ts";
import type { Grant } from "./grant.ts";

const unauthorizedClient = errorFactory("unauthorized_client", "OAuth 2.1, section 4.2");

/** Issues tokens to a confidential client on its own behalf (OAuth 2.1, section 4.2). */
export const clientCredentialsGrant: Grant = {
  type: "client_credentials",
  redeem(ctx, { client, parameters }) {
    if (isPublic(client)) {
      throw unauthorizedClient("A public client cannot use the client credentials grant.");
    }
    // The scopes of OpenID Connect need a user.
    const clientWithApiScopes = {
      ...client,
      scopes: client.scopes.filter(isApiScope),
      defaultScope: client.defaultScope.filter(isApiScope),
    };
    return { entitlement: readAccessRights(parameters, clientWithApiScopes, ctx.settings) };
  },
};
