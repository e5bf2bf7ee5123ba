import {
  createAssertedAuthorization,
  revokeAuthorization,
} from "../issuer/authorizations/authorizations.ts";
import type { Context } from "../issuer/context.ts";
import { consumeAssertionOnce } from "../issuer/external/used_assertions.ts";
import type { Authorization } from "../issuer/records/rows.ts";
import {
  type VerifiedAssertion,
  verifyBearerAssertion,
} from "../issuer/users/bearer_assertions.ts";
import { type Client, isPublic } from "../model/client.ts";
import { readAccessRights } from "../protocol/access_request.ts";
import {
  assertionResources,
  assertionScope,
  jwtBearerGrant,
} from "../protocol/bearer_assertion.ts";
import { requireParameter } from "../protocol/form_parameters.ts";
import { errorFactory, type OAuthError } from "../protocol/oauth_error.ts";
import { checkAllowedResources, narrowResources, readResources } from "../protocol/resource.ts";
import type { Grant } from "./grant.ts";

const section = "RFC 7523, section 3";
const unauthorizedClient = errorFactory("unauthorized_client", section);
const invalidGrant = errorFactory("invalid_grant", section);
/** An issuer that is trusted vouches for a person, and a client brings its word (RFC 7523, section 2.1). */
export const jwtBearer: Grant = {
  type: jwtBearerGrant,
  async redeem(ctx, { client, parameters }) {
    if (isPublic(client)) {
      throw unauthorizedClient(
        "A public client cannot prove who it is, and so cannot speak for others.",
      );
    }
    const vouched = await verifyBearerAssertion(
      ctx,
      client,
      requireParameter(parameters, "assertion", section),
    );
    if ("problem" in vouched) throw invalidAssertion(vouched.problem);
    const access = readAccessRights(
      parameters,
      { ...client, ...scopesFor(client, vouched) },
      ctx.settings,
    );
    const named = assertionResources(vouched.claims) ?? access.resources;
    const resources = readResources(
      narrowResources(access.resources, named),
      access.scope,
      ctx.settings.resources,
    );
    checkAllowedResources(resources, client.allowedResources);
    const authorization = await createAssertedAuthorization(ctx, client, vouched.user, {
      ...access,
      resources,
    });
    return {
      entitlement: { ...access, resources, authorization, accessTokenOnly: true },
      consume: () => consumeAssertion(ctx, vouched, authorization),
    };
  },
};

/** What the client may have, the issuer may vouch for and the assertion names. Nobody is there whom access could outlive. */
function scopesFor(
  client: Client,
  { issuer, claims }: VerifiedAssertion,
): Pick<Client, "scopes" | "defaultScope"> {
  const left = assertionScope(claims, issuer.scopes ?? client.scopes);
  const isLeft = (token: string) => left.includes(token) && token !== "offline_access";
  return { scopes: client.scopes.filter(isLeft), defaultScope: client.defaultScope.filter(isLeft) };
}

/** Of two that bring the same assertion one is too late, and what was made for it is void. */
async function consumeAssertion(
  ctx: Context,
  assertion: VerifiedAssertion,
  authorization: Authorization,
): Promise<void> {
  if (await consumeAssertionOnce(ctx, { issuer: assertion.issuer.issuer }, assertion.claims)) {
    return;
  }
  await revokeAuthorization(ctx, authorization, "its assertion was used before");
  throw invalidAssertion("its 'jti' was used before");
}

function invalidAssertion(problem: string): OAuthError {
  return invalidGrant(`The assertion is refused: ${problem}.`);
}
