import type { Context } from "../../issuer/context.ts";
import type { AccessRights, AuthorizationDetail } from "../../model/access_rights.ts";
import type { AccessListProps, DescribedDetail } from "../../pages/access_list.tsx";
import { describeFields } from "../../protocol/authorization_details.ts";
import { claimsOfScopes } from "../../protocol/claim_rules.ts";

/**
 * Describes to a user what a client may do, and which claims it may see beyond those of its scope.
 */
export function describeAccess(
  ctx: Context,
  { scope, resources, authorizationDetails = [] }: AccessRights,
  claims: string[],
): AccessListProps {
  return {
    scopes: scope.map((name) => ({
      name,
      meaning: ctx.settings.scopes.get(name) ?? "",
      claims: claimsOfScopes([name], ctx.settings),
    })),
    claims,
    details: authorizationDetails.map((detail) => describeDetail(ctx, detail)),
    resources,
  };
}

function describeDetail(
  ctx: Context,
  { type, ...members }: AuthorizationDetail,
): DescribedDetail {
  return {
    type,
    meaning: ctx.settings.authorizationDetails[type]?.meaning ?? "",
    members: describeFields(members),
  };
}
