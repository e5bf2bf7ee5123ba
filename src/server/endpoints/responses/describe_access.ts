import type { Context } from "../../issuer/context.ts";
import type { AccessRights, AuthorizationDetail } from "../../model/access_token.ts";
import { defaultScopes } from "../../model/claims.ts";
import type { DescribedDetail } from "../../pages/access_detail.tsx";
import type { AccessListProps, DescribedClaim, DescribedScope } from "../../pages/access_list.tsx";
import type { Language } from "../../pages/languages/languages.ts";
import { describeFields } from "../../protocol/authorization_details.ts";
import { claimsOfScopes } from "../../protocol/claim_rules.ts";
import { textIn } from "../../util/text/user_text.ts";

/** What describes access rights to a user. */
export interface Describer {
  ctx: Context;
  language: Language;
}

/** Describes access rights to a user, with the claims requested in addition to the scope's. */
export function describeAccess(
  describer: Describer,
  { scope, resources, authorizationDetails = [] }: AccessRights,
  extraClaims: readonly string[],
): AccessListProps {
  return {
    scopes: scope.map((name) => describeScope(describer, name)),
    claims: extraClaims.map((name) => describeClaim(describer, name)),
    details: authorizationDetails.map((detail) => describeDetail(describer, detail)),
    resources,
  };
}

function describeScope(describer: Describer, name: string): DescribedScope {
  const { settings } = describer.ctx;
  // A scope and its only claim often have one name.
  const claims = claimsOfScopes([name], settings).filter((claim) => claim !== name);
  return {
    name,
    meaning: meaningOfScope(describer, name),
    opens: settings.claimScopes.has(name) ? "information" : "actions",
    claims: claims.map((claim) => describeClaim(describer, claim)),
  };
}

/**
 * A scope of OpenID Connect is described in every language, unless the operator changed its text.
 */
function meaningOfScope({ ctx, language }: Describer, name: string): string {
  const configured = ctx.settings.scopes.get(name) ?? "";
  const { scopes } = language.words;
  const isStandard = isNameIn(scopes, name) && configured === defaultScopes[name];
  return isStandard ? scopes[name] : textIn(language.tag, configured);
}

function describeClaim({ language }: Describer, name: string): DescribedClaim {
  const { claims } = language.words;
  return { name, meaning: isNameIn(claims, name) ? claims[name] : "" };
}

function describeDetail(
  { ctx, language }: Describer,
  { type, ...members }: AuthorizationDetail,
): DescribedDetail {
  return {
    type,
    meaning: textIn(language.tag, ctx.settings.authorizationDetails[type]?.meaning ?? ""),
    members: describeFields(members),
  };
}

function isNameIn<T extends object>(texts: T, name: string): name is Extract<keyof T, string> {
  return Object.hasOwn(texts, name);
}
