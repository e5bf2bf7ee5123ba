import { isApiScope } from "../model/claims.ts";
import { type Client, isPublic } from "../model/client.ts";
import { readAccessRights } from "../protocol/access_request.ts";
import type { Rule } from "../protocol/rule.ts";
import type { Grant } from "./grant.ts";

const clientIsConfidential: Rule<Client> = {
  id: "client_credentials.confidential",
  title: "The client has credentials",
  see: "OAuth 2.1, section 4.2",
  parameter: "client_id",
  error: "unauthorized_client",
  message: "A public client cannot use the client credentials grant.",
  advice: "Use a client with a secret or a key.",
  holds: (client) => !isPublic(client),
};

/** Issues tokens to a confidential client on its own behalf (OAuth 2.1, section 4.2). */
export const clientCredentialsGrant: Grant = {
  type: "client_credentials",
  redeem(ctx, { client, parameters }) {
    ctx.apply(clientIsConfidential, client);
    // The scopes of OpenID Connect need a user.
    const clientWithApiScopes = {
      ...client,
      scopes: client.scopes.filter(isApiScope),
      defaultScope: client.defaultScope.filter(isApiScope),
    };
    const { apply, settings } = ctx;
    return { entitlement: readAccessRights(apply, parameters, clientWithApiScopes, settings) };
  },
};
