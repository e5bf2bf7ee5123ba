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
import { type Client, isPublic } from "../model/client.ts";
import { readAccessRights } from "../protocol/access_request.ts";
import { assertionResources, assertionScope } from "../protocol/bearer_assertion.ts";
import { type FormParameters, requireParameter } from "../protocol/form_parameters.ts";
import { jwtBearerGrantType } from "../protocol/grant_types.ts";
import { errorFactory, type OAuthError } from "../protocol/oauth_error.ts";
import { checkAllowedResources, narrowResources, readResources } from "../protocol/resource.ts";
import type { Grant } from "./grant.ts";

const section = "RFC 7523, section 3";
const unauthorizedClient = errorFactory("unauthorized_client", section);
const invalidGrant = errorFactory("invalid_grant", section);

/** Redeems the assertion of a trusted issuer about a user (RFC 7523, section 2.1). */
export const jwtBearerGrant: Grant = {
  type: jwtBearerGrantType,
  async redeem(ctx, { client, parameters }) {
    if (isPublic(client)) {
      throw unauthorizedClient("A public client cannot use the JWT bearer grant.");
    }
    const jwt = requireParameter(parameters, "assertion", section);
    const assertion = await verifyBearerAssertion(ctx, client, jwt);
    if ("problem" in assertion) throw invalidAssertion(assertion.problem);
    const access = assertedAccess(ctx, client, parameters, assertion);
    const authorization = await createAssertedAuthorization(ctx, client, assertion.user, access);
    return {
      entitlement: { ...access, authorization, accessTokenOnly: true },
      consume: () => consumeAssertion(ctx, assertion, authorization),
    };
  },
};

/** Reads the requested access, within the limits of the client, the issuer and the assertion. */
function assertedAccess(
  ctx: Context,
  client: Client,
  parameters: FormParameters,
  { issuer, claims }: VerifiedAssertion,
): AccessRights {
  const assertedScope = assertionScope(claims, issuer.scopes ?? client.scopes);
  // The user is not present, so no access can outlive a session.
  const isAllowed = (token: string) => assertedScope.includes(token) && token !== "offline_access";
  const scopes = client.scopes.filter(isAllowed);
  const defaultScope = client.defaultScope.filter(isAllowed);
  const access = readAccessRights(parameters, { ...client, scopes, defaultScope }, ctx.settings);
  const narrowed = narrowResources(
    access.resources,
    assertionResources(claims) ?? access.resources,
  );
  const resources = readResources([], access.scope, ctx.settings.resources, narrowed);
  checkAllowedResources(resources, client.allowedResources);
  return { ...access, resources };
}

/** Marks the assertion as used. On a replay, what was prepared for it is revoked. */
async function consumeAssertion(
  ctx: Context,
  { issuer, claims }: VerifiedAssertion,
  authorization: Authorization,
): Promise<void> {
  if (await consumeAssertionOnce(ctx, { issuer: issuer.issuer }, claims)) return;
  await revokeAuthorization(ctx, authorization, "its assertion was used before");
  throw invalidAssertion("its 'jti' was used before");
}

function invalidAssertion(problem: string): OAuthError {
  return invalidGrant(`The assertion is invalid: ${problem}.`);
}
