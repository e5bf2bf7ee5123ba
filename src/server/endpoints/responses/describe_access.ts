import type { Context } from "../../issuer/context.ts";
import type { AccessRights } from "../../model/access_token.ts";
import { defaultScopes } from "../../model/claims.ts";
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
  const { ctx, language } = describer;
  return {
    scopes: scope.map((name) => describeScope(describer, name)),
    claims: extraClaims.map((name) => describeClaim(describer, name)),
    details: authorizationDetails.map(({ type, ...members }) => ({
      type,
      meaning: textIn(language.tag, ctx.settings.authorizationDetails[type]?.meaning ?? ""),
      members: describeFields(members),
    })),
    resources,
  };
}

function describeScope(describer: Describer, name: string): DescribedScope {
  const { ctx: { settings }, language } = describer;
  const { scopes } = language.words;
  const configured = settings.scopes.get(name) ?? "";
  // A scope of OpenID Connect is described in every language, unless the operator changed its text.
  const isStandard = isNameIn(scopes, name) && configured === defaultScopes[name];
  // A scope and its only claim often have one name.
  const claims = claimsOfScopes([name], settings).filter((claim) => claim !== name);
  return {
    name,
    meaning: isStandard ? scopes[name] : textIn(language.tag, configured),
    opens: settings.claimScopes.has(name) ? "information" : "actions",
    claims: claims.map((claim) => describeClaim(describer, claim)),
  };
}

function describeClaim({ language }: Describer, name: string): DescribedClaim {
  const { claims } = language.words;
  return { name, meaning: isNameIn(claims, name) ? claims[name] : "" };
}

function isNameIn<T extends object>(texts: T, name: string): name is Extract<keyof T, string> {
  return Object.hasOwn(texts, name);
}
