import type { CredentialUse, GrantResult, TokenRequest } from "../../grants/grant.ts";
import { findPresumedParties } from "../../grants/one_time_credential.ts";
import {
  createAssertedAuthorization,
  revokeAuthorization,
} from "../../issuer/authorizations/authorizations.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { assertionMark, verifyExternalJwt } from "../../issuer/external/external_jwt.ts";
import type { Authorization } from "../../issuer/records/rows.ts";
import { numericDate } from "../../issuer/time.ts";
import { findUser } from "../../issuer/users/users.ts";
import type { AccessRights } from "../../model/access_token.ts";
import type { Client } from "../../model/client.ts";
import { clientAlgorithms } from "../../model/signing.ts";
import { mayUse, type User } from "../../model/user.ts";
import {
  checkAllowedResources,
  narrowResources,
  readAccessRights,
  readRequestedAccess,
  readResources,
  type RequestedAccess,
} from "../../protocol/access_request.ts";
import type { JwtClaims } from "../../protocol/jwt.ts";
import { spelledAsConfigured } from "../../protocol/resource.ts";
import { requirePresent, requireValue } from "../../protocol/rule.ts";
import { intersectScope } from "../../protocol/scope.ts";
import { ownMember } from "../../util/values/members.ts";
import { assertionClaimRules, assertionRules } from "./assertion_rules.ts";
import {
  assertionJwtTypes,
  assertionResources,
  assertionScope,
  peekBearerAssertion,
  type UnverifiedBearerAssertion,
} from "./bearer_assertion.ts";
import { assertionIssuers, type TrustedIssuerConfig } from "./config.ts";
import { idJagRules } from "./id_jag_rules.ts";

/** An assertion of a trusted issuer about one of our users. */
interface VerifiedAssertion {
  issuer: TrustedIssuerConfig;
  isIdJag: boolean;
  user: User;
  claims: JwtClaims;
}

/** Redeems the assertion of a trusted issuer about a user (RFC 7523, section 2.1). */
export async function redeemAssertion(
  ctx: RequestContext,
  { client, parameters, jkt }: TokenRequest,
): Promise<GrantResult> {
  const requested = readRequestedAccess(parameters, ctx.settings);
  ctx.apply(assertionRules.confidential, client);
  const jwt = requirePresent(ctx.apply, assertionRules.present, parameters.get("assertion"));
  const isOurs = peekBearerAssertion(jwt)?.issuer === ctx.settings.issuer;
  ctx.apply(assertionRules.foreign, { isOurs });
  const presumed = await redeemUnknown(ctx, client, requested, jwt);
  if (presumed) return presumed;
  const assertion = await verifyBearerAssertion(ctx, client, jwt, jkt);
  const { issuer: { issuer }, user, isIdJag } = assertion;
  const access = assertedAccess(ctx, client, requested, assertion);
  const authorization = await createAssertedAuthorization(ctx, client, user, access, issuer);
  return {
    entitlement: { ...access, authorization, accessTokenOnly: true },
    responseMembers: isIdJag ? grantedResource(access) : {},
    use: useAssertion(ctx, assertion, authorization),
  };
}

/** The response to an ID-JAG names what its token is for (section 4.4.1 of the draft). */
function grantedResource({ resources }: AccessRights): Record<string, string | string[]> {
  const [only, ...others] = resources;
  if (only === undefined) return {};
  return { resource: others.length > 0 ? [...resources] : only };
}

/**
 * Redeems an assertion whose issuer is not a trusted one, if what wraps the server vouches for it.
 */
async function redeemUnknown(
  ctx: Context,
  client: Client,
  requested: RequestedAccess,
  value: string,
): Promise<GrantResult | undefined> {
  if (!ctx.hooks.admits?.grant) return undefined;
  const claimed = peekBearerAssertion(value);
  if (claimed && assertionIssuers.of(ctx.settings).trustedIssuers.has(claimed.issuer)) {
    return undefined;
  }
  const parties = await findPresumedParties(ctx, client, { kind: "assertion", value });
  if (!parties) return undefined;
  const access = readAccessRights(ctx.apply, requested, parties.client, ctx.settings);
  const authorization = await createAssertedAuthorization(ctx, client, parties.user, access);
  return { entitlement: { ...access, authorization, accessTokenOnly: true } };
}

/** Verifies an assertion of a trusted issuer (RFC 7523, section 3). */
async function verifyBearerAssertion(
  ctx: Context,
  client: Client,
  jwt: string,
  jkt: string | undefined,
): Promise<VerifiedAssertion> {
  const origin = findOrigin(ctx, client, jwt);
  const facts = { isTrusted: origin !== undefined };
  const { issuer, unverified } = requireValue(ctx.apply, assertionRules.issuer, facts, origin);
  const signer = { ...issuer, id: issuer.issuer, trusted: true };
  const verified = await verifyExternalJwt(ctx, signer, jwt, {
    algorithms: clientAlgorithms(ctx.settings.profile.algs),
    types: assertionJwtTypes(issuer),
  });
  const { problem } = verified;
  const claims = requireValue(ctx.apply, assertionRules.signature, { problem }, verified.claims);
  const audience = ctx.settings.issuer;
  const expected = { clientId: client.id, audience, now: numericDate(ctx), jkt };
  for (const rule of Object.values(assertionClaimRules)) {
    ctx.apply(rule, { claims, unverified, ...expected });
  }
  const user = await findAssertedUser(ctx, issuer, String(claims.sub));
  const isActive = user !== undefined && mayUse(user, client);
  const found = requireValue(ctx.apply, assertionRules.user, { isActive }, user);
  return { issuer, isIdJag: unverified.isIdJag, user: found, claims };
}

function findOrigin(
  { settings }: Context,
  client: Client,
  jwt: string,
): { unverified: UnverifiedBearerAssertion; issuer: TrustedIssuerConfig } | undefined {
  const unverified = peekBearerAssertion(jwt);
  const issuer = unverified && assertionIssuers.of(settings).trustedIssuers.get(unverified.issuer);
  if (!unverified || !issuer?.clients.includes(client.id)) return undefined;
  return { unverified, issuer };
}

/**
 * Never finds a disabled user, even if the issuer asserts one (CVE-2026-1486, CVE-2026-1609).
 */
async function findAssertedUser(
  ctx: Context,
  { users }: TrustedIssuerConfig,
  sub: string,
): Promise<User | undefined> {
  if (!users) return await findUser(ctx, sub);
  const name = ownMember(users, sub);
  return name === undefined ? undefined : await findUser(ctx, name);
}

/** Reads the requested access, within the limits of the client, the issuer and the assertion. */
function assertedAccess(
  ctx: Context,
  client: Client,
  requested: RequestedAccess,
  assertion: VerifiedAssertion,
): AccessRights {
  const { apply, settings } = ctx;
  const { claims, issuer, isIdJag } = assertion;
  apply(idJagRules.tenant, { claims, tenant: issuer.tenant, isIdJag });
  const scopes = assertedScope(client, assertion);
  const defaultScope = client.defaultScope.filter((token) => scopes.includes(token));
  const limited = { ...client, scopes, defaultScope };
  const access = isIdJag
    ? idJagAccess(ctx, limited, requested, assertion)
    : readAccessRights(apply, requested, limited, settings);
  const named = (assertionResources(claims) ?? access.resources)
    .map((uri) => spelledAsConfigured(uri, settings.resources));
  const narrowed = narrowResources(apply, access.resources, named, settings.resources);
  const resources = readResources(apply, [], access.scope, settings.resources, narrowed);
  checkAllowedResources(apply, resources, client.allowedResources);
  return { ...access, resources };
}

/**
 * Reads the access that is both requested and asserted by an ID-JAG. Its resource and its scope
 * must be of this server (Identity Assertion JWT Authorization Grant, section 4.4.1).
 */
function idJagAccess(
  { apply, settings }: Context,
  client: Client,
  requested: RequestedAccess,
  { claims }: VerifiedAssertion,
): AccessRights {
  const { resources } = settings;
  const { scopes } = client;
  apply(idJagRules.no_details, claims);
  apply(idJagRules.resource, { claims, resources });
  const named = typeof claims.scope === "string" ? claims.scope.split(" ") : [];
  apply(idJagRules.scope, { received: named, expected: [...settings.scopes.keys()] });
  apply(idJagRules.scope_allowed, { scopes });
  const scope = intersectScope(requested.scope, scopes);
  return readAccessRights(
    apply,
    { ...requested, scope },
    { ...client, defaultScope: scopes, authorizationDetailsTypes: [] },
    settings,
  );
}

/** The user is not present, so no access can outlive a session. */
function assertedScope(client: Client, { issuer, isIdJag, claims }: VerifiedAssertion): string[] {
  // An ID-JAG without a scope asserts no more than the client gets by default.
  const isBare = isIdJag && claims.scope === undefined;
  const allowed = isBare ? client.defaultScope : client.scopes;
  const asserted = assertionScope(claims, issuer.scopes ?? allowed);
  return allowed.filter((token) => asserted.includes(token) && token !== "offline_access");
}

/** Marks the assertion as used. On a replay, what was prepared for it is revoked. */
function useAssertion(
  ctx: Context,
  { issuer: { issuer }, claims }: VerifiedAssertion,
  authorization: Authorization,
): CredentialUse {
  return {
    mark: assertionMark(ctx, { issuer }, claims),
    async check(isFirst) {
      if (!isFirst) await revokeAuthorization(ctx, authorization, "its assertion was used before");
      ctx.apply(assertionRules.unused, { isFirst });
    },
  };
}
