import type { AcceptedResources, AccessRights } from "../model/access_token.ts";
import type { Client } from "../model/client.ts";
import type { AuthorizationDetailTypes } from "./authorization_detail_types.ts";
import { narrowAuthorizationDetails, readAuthorizationDetails } from "./authorization_details.ts";
import type { FormParameters } from "./form_parameters.ts";
import { resourceRules } from "./resource.ts";
import { checkAllowedResources, narrowResources, readResources } from "./resource_request.ts";
import type { ApplyRule } from "./rule.ts";
import { readScope } from "./scope.ts";

/** The resources and the types of authorization details that the server knows. */
export interface AccessRules {
  resources: AcceptedResources;
  authorizationDetails: AuthorizationDetailTypes;
  /** Whether the parameter `audience` names resources, too. */
  audienceParameter: boolean;
}

/** The parameters of a request for access, before any is checked. */
export interface RequestedAccess {
  scope: string | undefined;
  /** Each is a URI. */
  resources: readonly string[];
  /** Each may be a name. */
  audiences: readonly string[];
  authorizationDetails: string | undefined;
}

/** The members of a client that limit what it may request. */
type RequestingClient = Pick<
  Client,
  "scopes" | "defaultScope" | "authorizationDetailsTypes" | "allowedResources"
>;

/** Reads the parameters of a request for access. */
export function readRequestedAccess(
  parameters: FormParameters,
  { audienceParameter }: Pick<AccessRules, "audienceParameter">,
): RequestedAccess {
  return {
    scope: parameters.get("scope"),
    resources: parameters.all("resource"),
    audiences: audienceParameter ? parameters.all("audience") : [],
    authorizationDetails: parameters.get("authorization_details"),
  };
}

/**
 * Parses and checks the requested access. Authorization details replace the default scope (RFC
 * 9396, section 3.1).
 */
export function readAccessRights(
  apply: ApplyRule,
  requested: RequestedAccess,
  client: RequestingClient,
  rules: AccessRules,
): AccessRights {
  const { scopes, defaultScope, authorizationDetailsTypes, allowedResources } = client;
  const authorizationDetails = readAuthorizationDetails(
    apply,
    requested.authorizationDetails,
    rules.authorizationDetails,
    authorizationDetailsTypes,
  );
  const hasDetailsOnly = authorizationDetails !== undefined && requested.scope === undefined;
  const scope = hasDetailsOnly ? [] : readScope(apply, requested.scope, scopes, defaultScope);
  const { audiences } = requested;
  const resources = readResources(apply, requested.resources, scope, rules.resources, audiences);
  checkAllowedResources(apply, resources, allowedResources);
  return { scope, resources, authorizationDetails };
}

/**
 * Narrows the granted access to what a token request asks for (RFC 8707; RFC 8693, section 2.1). The
 * scope stays as it is.
 */
export function narrowAccessRights(
  apply: ApplyRule,
  requested: RequestedAccess,
  granted: AccessRights,
  { resources }: Pick<AccessRules, "resources">,
): AccessRights {
  const { resources: uris, audiences, authorizationDetails: details } = requested;
  apply(resourceRules.form, uris);
  return {
    scope: granted.scope,
    resources: narrowResources(apply, [...uris, ...audiences], granted.resources, resources),
    authorizationDetails: details === undefined
      ? granted.authorizationDetails
      : narrowAuthorizationDetails(apply, details, granted.authorizationDetails),
  };
}
