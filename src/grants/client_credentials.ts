import { isApiScope } from "../protocol/claims.ts";
import { isPublic } from "../protocol/client.ts";
import { OAuthError } from "../protocol/oauth_error.ts";
import { readResources } from "../protocol/resource.ts";
import { scopeWithin } from "../protocol/scope.ts";
import type { Grant } from "./grant.ts";

/** A confidential client acts for itself (OAuth 2.1, section 4.2). */
export const clientCredentials: Grant = {
  type: "client_credentials",
  redeem(ctx, { client, parameters }) {
    if (isPublic(client)) {
      throw new OAuthError("unauthorized_client", "A public client cannot prove who it is, and so cannot act for itself.", {
        see: "OAuth 2.1, section 4.2",
      });
    }
    return {
      scope: scopeWithin(parameters.get("scope"), client.scopes.filter(isApiScope), client.defaultScope.filter(isApiScope)),
      resources: readResources(parameters.all("resource"), ctx.settings.resources),
    };
  },
};
