import type { Context } from "../../issuer/context.ts";
import type { AccessRights, AuthorizationDetail } from "../../model/access_rights.ts";
import type { AccessListProps, DescribedDetail } from "../../pages/access_list.tsx";
import { describeFields } from "../../protocol/authorization_details.ts";
import { claimsOfScopes } from "../../protocol/claim_rules.ts";

/** Describes access rights to a user, with the claims requested in addition to the scope's. */
export function describeAccess(
  ctx: Context,
  { scope, resources, authorizationDetails = [] }: AccessRights,
  extraClaims: string[],
): AccessListProps {
  return {
    scopes: scope.map((name) => ({
      name,
      meaning: ctx.settings.scopes.get(name) ?? "",
      claims: claimsOfScopes([name], ctx.settings),
    })),
    claims: extraClaims,
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
