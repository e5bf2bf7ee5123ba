import type { AcceptedResources } from "../../model/access_token.ts";
import type { JwtClaims } from "../../protocol/jwt.ts";
import { isResourceUri, spelledAsIn } from "../../protocol/resource.ts";
import { comparedLists, ruleSet } from "../../protocol/rule.ts";
import { aboutAssertion } from "./assertion_rules.ts";
import { assertionResources } from "./bearer_assertion.ts";

const draft = "Identity Assertion JWT Authorization Grant, section";

export const idJagRules = ruleSet("id_jag", { ...aboutAssertion, see: `${draft} 4.4.1` }, {
  // In an issuer with several tenants, the same `sub` can be another user in each.
  tenant: {
    see: `${draft} 6`,
    title: "The 'tenant' of the assertion must be the one that is trusted",
    fix: "Set the 'tenant' of the trusted issuer to the one of its assertions.",
    holds: ({ claims, tenant, isIdJag }: {
      claims: JwtClaims;
      tenant: string | undefined;
      isIdJag: boolean;
    }) => claims.tenant === tenant || (tenant === undefined && !isIdJag),
  },
  // Without them, the token would allow something else than the issuer decided.
  no_details: {
    title: "The ID-JAG must not have 'authorization_details'",
    fix: "Request the ID-JAG with scopes instead.",
    holds: ({ authorization_details }: JwtClaims) => authorization_details === undefined,
  },
  // The audience and the resource are a pair: one of another server must not be used here.
  resource: {
    title: "The 'resource' of the ID-JAG must be a resource of this server",
    holds: ({ claims, resources }: { claims: JwtClaims; resources: AcceptedResources }) => {
      const named = assertionResources(claims) ?? [];
      if (resources === "any") return named.every(isResourceUri);
      const ours = resources.only.map(({ uri }) => uri);
      return named.every((uri) => ours.includes(spelledAsIn(ours, uri)));
    },
  },
  scope: {
    ...comparedLists,
    title: "Each part of the 'scope' of the ID-JAG must be a scope of this server",
  },
  scope_allowed: {
    title: "The client must be allowed a part of the 'scope' of the ID-JAG",
    fix: "Allow the client, and the trusted issuer, a scope that the ID-JAG names.",
    holds: ({ scopes }: { scopes: readonly string[] }) => scopes.length > 0,
  },
});
