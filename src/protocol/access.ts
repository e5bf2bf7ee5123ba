import type { AuthorizationDetail, DetailTypes } from "./authorization_details.ts";
import { narrowAuthorizationDetails, readAuthorizationDetails } from "./authorization_details.ts";
import type { Client } from "./client.ts";
import type { Parameters } from "./parameters.ts";
import type { ResourceRule } from "./resource.ts";
import { checkAllowedResources, narrowResources, readResources } from "./resource.ts";
import { scopeWithin } from "./scope.ts";

/** What somebody may do, in all the ways in which it can be said. */
export interface Access {
  scope: string[];
  /** Where; none means at the default resource. */
  resources: string[];
  /** What a scope cannot say (RFC 9396). */
  authorizationDetails?: AuthorizationDetail[];
}

/** What the server has that access can be asked to. */
export interface AccessRules {
  resources: ResourceRule;
  authorizationDetails: DetailTypes;
}

/** The members of a client that bound what it may ask for. */
type AskingClient = Pick<Client, "scopes" | "defaultScope" | "authorizationDetailsTypes" | "allowedResources">;

/** Reads what access a request asks for. One that says in detail what it wants gets no scope by default on top (RFC 9396, section 3.1). */
export function readAccess(
  parameters: Parameters,
  client: AskingClient,
  rules: AccessRules,
): Access {
  const { scopes, defaultScope, authorizationDetailsTypes, allowedResources } = client;
  const details = parameters.get("authorization_details");
  const authorizationDetails = readAuthorizationDetails(details, rules.authorizationDetails, authorizationDetailsTypes);
  const text = parameters.get("scope");
  const scope = authorizationDetails && text === undefined ? [] : scopeWithin(text, scopes, defaultScope);
  const resources = readResources(parameters.all("resource"), scope, rules.resources);
  checkAllowedResources(resources, allowedResources);
  return { scope, resources, authorizationDetails };
}

/** What a token is for: some of what was granted, or all of it. The scope of a code cannot be narrowed, that of a refresh token can. */
export function narrowAccess(parameters: Parameters, granted: Access): Access {
  return {
    scope: granted.scope,
    resources: narrowResources(parameters.all("resource"), granted.resources),
    authorizationDetails: narrowAuthorizationDetails(parameters.get("authorization_details"), granted.authorizationDetails),
  };
}
