import { isApiScope } from "../model/claims.ts";
import { isPublic } from "../model/client.ts";
import { readAccessRights } from "../protocol/access_request.ts";
import { errorFactory } from "../protocol/oauth_error.ts";
import type { Grant } from "./grant.ts";

const unauthorizedClient = errorFactory("unauthorized_client", "OAuth 2.1, section 4.2");

/** Gives a confidential client access of its own, without a user (OAuth 2.1, section 4.2). */
export const clientCredentials: Grant = {
  type: "client_credentials",
  redeem(ctx, { client, parameters }) {
    if (isPublic(client)) {
      throw unauthorizedClient("A public client cannot use the client credentials grant.");
    }
    const scopes = client.scopes.filter(isApiScope);
    const defaultScope = client.defaultScope.filter(isApiScope);
    const entitlement = readAccessRights(
      parameters,
      { ...client, scopes, defaultScope },
      ctx.settings,
    );
    return { entitlement };
  },
};
