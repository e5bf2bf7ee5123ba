import type { AcceptedResources, AccessRights } from "../model/access_rights.ts";
import type { Client } from "../model/client.ts";
import {
  type AuthorizationDetailTypes,
  narrowAuthorizationDetails,
  readAuthorizationDetails,
} from "./authorization_details.ts";
import type { FormParameters } from "./form_parameters.ts";
import { checkAllowedResources, narrowResources, readResources } from "./resource.ts";
import { readScope } from "./scope.ts";

/** The resources and the types of authorization details that the server knows. */
export interface AccessRules {
  resources: AcceptedResources;
  authorizationDetails: AuthorizationDetailTypes;
}

/** The members of a client that limit what it may request. */
type RequestingClient = Pick<
  Client,
  "scopes" | "defaultScope" | "authorizationDetailsTypes" | "allowedResources"
>;

/**
 * Reads the requested access. Authorization details replace the default scope (RFC 9396, section
 * 3.1).
 */
export function readAccessRights(
  parameters: FormParameters,
  client: RequestingClient,
  rules: AccessRules,
): AccessRights {
  const { scopes, defaultScope, authorizationDetailsTypes, allowedResources } = client;
  const authorizationDetails = readAuthorizationDetails(
    parameters.get("authorization_details"),
    rules.authorizationDetails,
    authorizationDetailsTypes,
  );
  const scopeText = parameters.get("scope");
  const hasDetailsOnly = authorizationDetails !== undefined && scopeText === undefined;
  const scope = hasDetailsOnly ? [] : readScope(scopeText, scopes, defaultScope);
  const resources = readResources(parameters.all("resource"), scope, rules.resources);
  checkAllowedResources(resources, allowedResources);
  return { scope, resources, authorizationDetails };
}

/** Narrows the granted access to what a token request asks for. The scope stays as it is. */
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
