import type { AcceptedResources } from "../model/access_rights.ts";
import { type Client, isPublic } from "../model/client.ts";
import type { IdJagConfig } from "../model/id_jag_config.ts";
import { aboutAssertion } from "./assertion_rules.ts";
import { assertionResources } from "./bearer_assertion.ts";
import type { JwtClaims } from "./jwt.ts";
import { isResourceUri, spelledAsIn } from "./resource.ts";
import { compared, comparedLists, ruleSet } from "./rule_set.ts";

const draft = "Identity Assertion JWT Authorization Grant, section";

/** What is missing if the policy of the server does not name what a request asks for. */
const notAllowed = { error: "invalid_target" } as const;

/** The rules for requests for an ID-JAG. */
export const idJagRequestRules = ruleSet("id_jag", {
  see: `${draft} 4.3`,
  error: "invalid_request",
}, {
  // Without authentication, anyone who finds an ID token could use it (section 9.1 of the draft).
  client: {
    see: `${draft} 4.3.3`,
    parameter: "client_id",
    error: "unauthorized_client",
    must: "The client must have credentials, and the setting 'idJag'",
    holds: ({ client, entries }: { client: Client; entries: readonly IdJagConfig[] }) =>
      !isPublic(client) && entries.length > 0,
  },
  // The draft leaves it to others what an actor means; ignoring one would pass for the user alone.
  actor: {
    see: "RFC 8693, section 2.2.2",
    parameter: "actor_token",
    must: "A request for an ID-JAG must not have an actor_token or its type",
    holds: ({ isPresent }: { isPresent: boolean }) => !isPresent,
  },
  details: {
    parameter: "authorization_details",
    error: "invalid_authorization_details",
    must: "A request for an ID-JAG must not have authorization_details",
    fix: "Request scopes instead.",
    holds: (details: string | undefined) => details === undefined,
  },
  subject_token_type: {
    ...compared,
    parameter: "subject_token_type",
    must: "The subject_token_type must be that of an ID token or of a refresh token",
  },
  audience_once: {
    parameter: "audience",
    must: "A request for an ID-JAG must have the parameter 'audience' once",
    fix: "Send the issuer of the server that will redeem the ID-JAG as the audience.",
    holds: (audiences: readonly string[]) => audiences.length === 1,
    came: (audiences) => audiences.join(" ") || "no audience",
  },
  subject_token: {
    see: `${draft} 4.3.3`,
    parameter: "subject_token",
    must: "The subject_token must be active, and issued to this client",
    fix: "Present the ID token or the refresh token that this client got when the user signed in.",
    holds: ({ isUsable }: { isUsable: boolean; problem: string | undefined }) => isUsable,
    came: ({ isUsable, problem }) => isUsable ? "such a token" : problem,
  },
  proof: {
    ...compared,
    see: "RFC 9449, section 5",
    parameter: "DPoP",
    must: "The DPoP proof must be made with the key that the subject_token is bound to",
  },
  // Offline access outlives the session here, but not in another domain.
  session: {
    see: `${draft} 4.3.3`,
    parameter: "subject_token",
    must: "The session of the subject_token must not have ended",
    fix: "Ask the user to sign in again.",
    holds: ({ isLive }: { isLive: boolean }) => isLive,
  },
  audience: {
    ...compared,
    ...notAllowed,
    parameter: "audience",
    must: "The audience must be one that the client may get an ID-JAG for",
    fix: "Add the audience to the setting 'idJag' of the client.",
  },
  // The policy decides about the audience and the resource as a pair.
  target: {
    ...notAllowed,
    see: `${draft} 4.3.3`,
    parameter: "resource",
    must: "The resource must be the one that is configured for the audience",
    fix: "Send the resource of the setting 'idJag' that belongs to the audience.",
    holds: ({ entry }: { entry: unknown; came: readonly string[]; expected: readonly string[] }) =>
      entry !== undefined,
    expected: ({ expected }) => expected.join(" or "),
    came: ({ came }) => came.join(" ") || "no resource",
  },
  user: {
    ...notAllowed,
    see: `${draft} 4.3.3`,
    parameter: "audience",
    must: "The user must be one who may use the server at this audience",
    fix: "Add the user to the 'users' of the entry in 'idJag'.",
    holds: ({ isAllowed }: { isAllowed: boolean; entry: IdJagConfig; user: string }) => isAllowed,
    expected: ({ entry }) => Object.keys(entry.users ?? {}).join(" or ") || "a user",
    came: ({ user }) => user,
  },
  granted_scope: {
    see: `${draft} 4.3.3`,
    parameter: "scope",
    error: "invalid_scope",
    must: "The user and the client must be allowed a part of the scope at this audience",
    fix: "Request a scope that the entry in 'idJag' allows this user.",
    holds: ({ granted }: { granted: readonly string[]; allowed: readonly string[] }) =>
      granted.length > 0,
    expected: ({ allowed }) => allowed.join(" or "),
  },
  relying_party: {
    ...notAllowed,
    see: `${draft} 3.1`,
    parameter: "audience",
    must: "The 'relyingParty' of the entry in 'idJag' must be a client of this server",
    holds: ({ isKnown }: { isKnown: boolean }) => isKnown,
  },
});

/** The rules for redeeming an ID-JAG. */
export const idJagRules = ruleSet("id_jag", { ...aboutAssertion, see: `${draft} 4.4.1` }, {
  // In an issuer with several tenants, the same `sub` can be another user in each.
  tenant: {
    see: `${draft} 6`,
    must: "The 'tenant' of the assertion must be the one that is trusted",
    fix: "Set the 'tenant' of the trusted issuer to the one of its assertions.",
    holds: ({ claims, tenant, isIdJag }: AssertedTenant) =>
      claims.tenant === tenant || (tenant === undefined && !isIdJag),
  },
  // Without them, the token would allow something else than the issuer decided.
  no_details: {
    must: "The ID-JAG must not have 'authorization_details'",
    fix: "Request the ID-JAG with scopes instead.",
    holds: ({ authorization_details }: JwtClaims) => authorization_details === undefined,
  },
  // The audience and the resource are a pair: one of another server must not be used here.
  resource: {
    must: "The 'resource' of the ID-JAG must be a resource of this server",
    fix: "Request the ID-JAG for a resource that this server issues tokens for.",
    holds: ({ claims, resources }: { claims: JwtClaims; resources: AcceptedResources }) => {
      const named = assertionResources(claims) ?? [];
      if (resources === "any") return named.every(isResourceUri);
      const ours = resources.only.map(({ uri }) => uri);
      return named.every((uri) => ours.includes(spelledAsIn(ours, uri)));
    },
  },
  scope: {
    ...comparedLists,
    must: "Each part of the 'scope' of the ID-JAG must be a scope of this server",
    fix: "Request the ID-JAG with scopes that this server has.",
  },
  scope_allowed: {
    must: "The client must be allowed a part of the 'scope' of the ID-JAG",
    fix: "Allow the client, and the trusted issuer, a scope that the ID-JAG names.",
    holds: ({ scopes }: { scopes: readonly string[] }) => scopes.length > 0,
  },
});

/** The tenant of an assertion, and the one that its issuer is trusted for. */
interface AssertedTenant {
  claims: JwtClaims;
  tenant: string | undefined;
  isIdJag: boolean;
}
