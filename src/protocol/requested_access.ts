import type { AcceptedResources, AccessRights } from "../model/access_rights.ts";
import type { Client } from "../model/client.ts";
import {
  type AuthorizationDetailTypes,
  narrowAuthorizationDetails,
  readAuthorizationDetails,
} from "./authorization_details.ts";
import type { FormParameters } from "./form_parameters.ts";
import { checkAllowedResources, narrowResources, readResources } from "./resource.ts";
import { scopeWithin } from "./scope.ts";

/** What the server has that access can be asked to. */
export interface AccessRules {
  resources: AcceptedResources;
  authorizationDetails: AuthorizationDetailTypes;
}

/** The members of a client that bound what it may ask for. */
type RequestingClient = Pick<
  Client,
  "scopes" | "defaultScope" | "authorizationDetailsTypes" | "allowedResources"
>;

/** Reads what access a request asks for. One that says in detail what it wants gets no scope by default on top (RFC 9396, section 3.1). */
export function readAccessRights(
  parameters: FormParameters,
  client: RequestingClient,
  rules: AccessRules,
): AccessRights {
  const { scopes, defaultScope, authorizationDetailsTypes, allowedResources } = client;
  const details = parameters.get("authorization_details");
  const authorizationDetails = readAuthorizationDetails(
    details,
    rules.authorizationDetails,
    authorizationDetailsTypes,
  );
  const text = parameters.get("scope");
  const scope = authorizationDetails && text === undefined
    ? []
    : scopeWithin(text, scopes, defaultScope);
  const resources = readResources(parameters.all("resource"), scope, rules.resources);
  checkAllowedResources(resources, allowedResources);
  return { scope, resources, authorizationDetails };
}

/** What a token is for: some of what was granted, or all of it. The scope of a code cannot be narrowed, that of a refresh token can. */
export function narrowAccessRights(
  parameters: FormParameters,
  granted: AccessRights,
): AccessRights {
  return {
    scope: granted.scope,
    resources: narrowResources(parameters.all("resource"), granted.resources),
    authorizationDetails: narrowAuthorizationDetails(
      parameters.get("authorization_details"),
      granted.authorizationDetails,
    ),
  };
}
