import type { AcceptedResources } from "../model/access_rights.ts";
import { assertionResources } from "./bearer_assertion.ts";
import { assertionRule } from "./bearer_assertion_rules.ts";
import type { JwtClaims } from "./jwt.ts";
import { isResourceUri, spelledAsIn } from "./resource.ts";
import type { Rule } from "./rule.ts";

const see = "Identity Assertion JWT Authorization Grant, section 4.4.1";

/** In an issuer with several tenants, the same `sub` can be another user in each. */
export const idJagTenantIsTrusted: Rule<{
  claims: JwtClaims;
  tenant: string | undefined;
  isIdJag: boolean;
}> = assertionRule({
  id: "id_jag.tenant",
  title: "The assertion is of the tenant that is trusted; an ID-JAG can otherwise be of none",
  see: "Identity Assertion JWT Authorization Grant, section 6",
  advice: "Set the 'tenant' of the trusted issuer to the one of its assertions.",
  problem: ({ claims, tenant, isIdJag }) =>
    claims.tenant === tenant || (tenant === undefined && !isIdJag)
      ? undefined
      : "its 'tenant' is not the one that is trusted",
});

/** Without them, the token would allow something else than the issuer decided. */
export const idJagHasNoDetails: Rule<JwtClaims> = assertionRule({
  id: "id_jag.no_details",
  title: "The ID-JAG has no authorization_details, which this server does not take from others",
  see,
  advice: "Request the ID-JAG with scopes instead.",
  problem: ({ authorization_details }) =>
    authorization_details === undefined ? undefined : "it has 'authorization_details'",
});

/** The audience and the resource are a pair: one of another server must not be used here. */
export const idJagResourceIsOurs: Rule<{
  claims: JwtClaims;
  resources: AcceptedResources;
}> = assertionRule({
  id: "id_jag.resource",
  title: "The resource of the ID-JAG is one of this server",
  see,
  advice: "Request the ID-JAG for a resource that this server issues tokens for.",
  problem: ({ claims, resources }) => {
    const named = assertionResources(claims) ?? [];
    const ours = resources === "any" ? [] : resources.only.map(({ uri }) => uri);
    const isOurs = (uri: string) =>
      resources === "any" ? isResourceUri(uri) : ours.includes(spelledAsIn(ours, uri));
    return named.every(isOurs) ? undefined : "its 'resource' is not one of this server";
  },
});

export const idJagScopeIsOurs: Rule<{
  claims: JwtClaims;
  scopes: readonly string[];
}> = assertionRule({
  id: "id_jag.scope",
  title: "The scope of the ID-JAG is one of this server",
  see,
  advice: "Request the ID-JAG with scopes that this server has.",
  problem: ({ claims: { scope }, scopes }) => {
    const named = typeof scope === "string" ? scope.split(" ") : [];
    return named.every((token) => scopes.includes(token))
      ? undefined
      : "a part of its 'scope' is not one of this server";
  },
});

export const idJagScopeIsAllowed: Rule<{ scopes: readonly string[] }> = assertionRule({
  id: "id_jag.scope_allowed",
  title: "The client may have a part of the scope of the ID-JAG",
  see,
  advice: "Allow the client, and the trusted issuer, a scope that the ID-JAG names.",
  problem: ({ scopes }) =>
    scopes.length > 0 ? undefined : "this client may have no part of its 'scope'",
});
