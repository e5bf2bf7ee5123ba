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
    const { apply, settings } = ctx;
    // The others need a user.
    const apiScopes = (scopes: string[]) => scopes.filter((token) => isApiScope(token, settings));
    const clientWithApiScopes = {
      ...client,
      scopes: apiScopes(client.scopes),
      defaultScope: apiScopes(client.defaultScope),
    };
    return { entitlement: readAccessRights(apply, requested, clientWithApiScopes, settings) };
  },
};
