import {
  createAssertedAuthorization,
  revokeAuthorization,
} from "../issuer/authorizations/authorizations.ts";
import type { Context } from "../issuer/context.ts";
import { consumeAssertionOnce } from "../issuer/external/external_jwt.ts";
import type { Authorization } from "../issuer/records/rows.ts";
import {
  type VerifiedAssertion,
  verifyBearerAssertion,
} from "../issuer/users/bearer_assertions.ts";
import type { AccessRights } from "../model/access_rights.ts";
import type { Client } from "../model/client.ts";
import {
  readAccessRights,
  readRequestedAccess,
  type RequestedAccess,
} from "../protocol/access_request.ts";
import {
  assertionResources,
  assertionScope,
  peekBearerAssertion,
} from "../protocol/bearer_assertion.ts";
import { confidentialityRule } from "../protocol/client_rules.ts";
import { presenceRule } from "../protocol/form_rules.ts";
import { jwtBearerGrantType } from "../protocol/grant_types.ts";
import {
  checkAllowedResources,
  narrowResources,
  readResources,
} from "../protocol/resource_request.ts";
import { requirePresent, requireValue, type Rule } from "../protocol/rule.ts";
import type { Grant, GrantResult } from "./grant.ts";
import { findPresumedParties } from "./unknown_credential.ts";

const about = { see: "RFC 7523, section 3", parameter: "assertion" } as const;

export const clientIsConfidential: Rule<Client> = confidentialityRule({
  id: "assertion.confidential",
  see: about.see,
  use: "the JWT bearer grant",
});

const assertionIsPresent = presenceRule(about);

/** The problem is a clause that repeats nothing from the assertion. */
const assertionIsValid: Rule<{ problem: string | undefined }> = {
  ...about,
  id: "assertion.valid",
  title: "The assertion is valid, and used once",
  error: "invalid_grant",
  message: ({ problem }) => `The assertion is invalid: ${problem}.`,
  advice: "Get a new assertion for each request, from an issuer that this server trusts.",
  holds: ({ problem }) => problem === undefined,
  came: ({ problem }) => problem ?? "a valid one",
};

/** Redeems the assertion of a trusted issuer about a user (RFC 7523, section 2.1). */
export const jwtBearerGrant: Grant = {
  type: jwtBearerGrantType,
  async redeem(ctx, { client, parameters }) {
    const request = {
      assertion: parameters.get("assertion"),
      access: readRequestedAccess(parameters, ctx.settings),
    };
    ctx.apply(clientIsConfidential, client);
    const jwt = requirePresent(ctx.apply, assertionIsPresent, request.assertion);
    const presumed = await redeemUnknown(ctx, client, request.access, jwt);
    if (presumed) return presumed;
    const assertion = await requireAssertion(ctx, client, jwt);
    const access = assertedAccess(ctx, client, request.access, assertion);
    const authorization = await createAssertedAuthorization(ctx, client, assertion.user, access);
    return {
      entitlement: { ...access, authorization, accessTokenOnly: true },
      consume: () => consumeAssertion(ctx, assertion, authorization),
    };
  },
};

/**
 * Redeems an assertion whose issuer is not a trusted one, if what wraps the server vouches for it.
 */
async function redeemUnknown(
  ctx: Context,
  client: Client,
  requested: RequestedAccess,
  value: string,
): Promise<GrantResult | undefined> {
  if (!ctx.presumeGrant) return undefined;
  const claimed = peekBearerAssertion(value);
  if (claimed && ctx.settings.trustedIssuers.has(claimed.issuer)) return undefined;
  const parties = await findPresumedParties(ctx, client, { kind: "assertion", value });
  if (!parties) return undefined;
  const access = readAccessRights(ctx.apply, requested, parties.client, ctx.settings);
  const authorization = await createAssertedAuthorization(ctx, client, parties.user, access);
  return { entitlement: { ...access, authorization, accessTokenOnly: true } };
}

async function requireAssertion(
  ctx: Context,
  client: Client,
  jwt: string,
): Promise<VerifiedAssertion> {
  const verified = await verifyBearerAssertion(ctx, client, jwt);
  const isValid = !("problem" in verified);
  const problem = isValid ? undefined : verified.problem;
  return requireValue(ctx.apply, assertionIsValid, { problem }, isValid ? verified : undefined);
}

/** Reads the requested access, within the limits of the client, the issuer and the assertion. */
function assertedAccess(
  ctx: Context,
  client: Client,
  requested: RequestedAccess,
  { issuer, claims }: VerifiedAssertion,
): AccessRights {
  const assertedScope = assertionScope(claims, issuer.scopes ?? client.scopes);
  // The user is not present, so no access can outlive a session.
  const isAllowed = (token: string) => assertedScope.includes(token) && token !== "offline_access";
  const scopes = client.scopes.filter(isAllowed);
  const defaultScope = client.defaultScope.filter(isAllowed);
  const access = readAccessRights(
    ctx.apply,
    requested,
    { ...client, scopes, defaultScope },
    ctx.settings,
  );
  const narrowed = narrowResources(
    ctx.apply,
    access.resources,
    assertionResources(claims) ?? access.resources,
  );
  const resources = readResources(ctx.apply, [], access.scope, ctx.settings.resources, narrowed);
  checkAllowedResources(ctx.apply, resources, client.allowedResources);
  return { ...access, resources };
}

/** Marks the assertion as used. On a replay, what was prepared for it is revoked. */
async function consumeAssertion(
  ctx: Context,
  { issuer, claims }: VerifiedAssertion,
  authorization: Authorization,
): Promise<void> {
  const isFirst = await consumeAssertionOnce(ctx, { issuer: issuer.issuer }, claims);
  if (!isFirst) await revokeAuthorization(ctx, authorization, "its assertion was used before");
  ctx.apply(assertionIsValid, { problem: isFirst ? undefined : "its 'jti' was used before" });
}
