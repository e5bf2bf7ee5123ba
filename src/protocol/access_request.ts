import type { AcceptedResources, AccessRights } from "../model/access_rights.ts";
import type { Client } from "../model/client.ts";
import type { AuthorizationDetailTypes } from "./authorization_detail_types.ts";
import { narrowAuthorizationDetails, readAuthorizationDetails } from "./authorization_details.ts";
import type { FormParameters } from "./form_parameters.ts";
import {
  checkAllowedResources,
  narrowTargets,
  readResources,
  type RequestedTargets,
} from "./resource_request.ts";
import type { ApplyRule } from "./rule.ts";
import { readScope } from "./scope.ts";

/** The resources and the types of authorization details that the server knows. */
export interface AccessRules {
  resources: AcceptedResources;
  authorizationDetails: AuthorizationDetailTypes;
  /** Whether the parameter `audience` names resources, too. */
  audienceParameter: boolean;
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
  apply: ApplyRule,
  parameters: FormParameters,
  client: RequestingClient,
  rules: AccessRules,
): AccessRights {
  const { scopes, defaultScope, authorizationDetailsTypes, allowedResources } = client;
  const authorizationDetails = readAuthorizationDetails(
    apply,
    parameters.get("authorization_details"),
    rules.authorizationDetails,
    authorizationDetailsTypes,
  );
  const scopeText = parameters.get("scope");
  const hasDetailsOnly = authorizationDetails !== undefined && scopeText === undefined;
  const scope = hasDetailsOnly ? [] : readScope(apply, scopeText, scopes, defaultScope);
  const { resources: uris, audiences } = requestedTargets(parameters, rules);
  const resources = readResources(apply, uris, scope, rules.resources, audiences);
  checkAllowedResources(apply, resources, allowedResources);
  return { scope, resources, authorizationDetails };
}

/** Narrows the granted access to what a token request asks for. The scope stays as it is. */
export function narrowAccessRights(
  apply: ApplyRule,
  parameters: FormParameters,
  granted: AccessRights,
  rules: Pick<AccessRules, "audienceParameter">,
): AccessRights {
  return {
    scope: granted.scope,
    resources: narrowTargets(apply, requestedTargets(parameters, rules), granted.resources),
    authorizationDetails: narrowAuthorizationDetails(
      apply,
      parameters.get("authorization_details"),
      granted.authorizationDetails,
    ),
  };
}

function requestedTargets(
  parameters: FormParameters,
  { audienceParameter }: Pick<AccessRules, "audienceParameter">,
): RequestedTargets {
  return {
    resources: parameters.all("resource"),
    audiences: audienceParameter ? parameters.all("audience") : [],
  };
}
