import { isApiScope } from "../model/claims.ts";
import { readAccessRights, readRequestedAccess } from "../protocol/access_request.ts";
import { requiresCredentials } from "../protocol/client_rules.ts";
import { ruleSet } from "../protocol/rule.ts";
import type { Grant } from "./grant.ts";

const about = { see: "OAuth 2.1, section 4.2", error: "unauthorized_client" } as const;

const clientCredentialsRules = ruleSet("client_credentials", about, {
  confidential: requiresCredentials("the client credentials grant"),
});

/** Issues tokens to a confidential client on its own behalf (OAuth 2.1, section 4.2). */
export const clientCredentialsGrant: Grant = {
  type: "client_credentials",
  redeem(ctx, { client, parameters }) {
    const requested = readRequestedAccess(parameters, ctx.settings);
    ctx.apply(clientCredentialsRules.confidential, client);
    // The scopes of OpenID Connect need a user.
    const clientWithApiScopes = {
      ...client,
      scopes: client.scopes.filter(isApiScope),
      defaultScope: client.defaultScope.filter(isApiScope),
    };
    const { apply, settings } = ctx;
    return { entitlement: readAccessRights(apply, requested, clientWithApiScopes, settings) };
  },
};
