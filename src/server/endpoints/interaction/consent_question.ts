import { type AllowedBefore, findAllowedBefore } from "../../issuer/authorizations/consents.ts";
import type { Context } from "../../issuer/context.ts";
import type { Client } from "../../model/client.ts";
import type { ConsentQuestionProps } from "../../pages/consent.tsx";
import { claimsBeyondScope } from "../../protocol/claim_rules.ts";
import {
  allowsPartialConsent,
  offeredScopes,
  type PendingRequest,
} from "../../protocol/pending_request.ts";
import { describeAccess, type Describer } from "../responses/describe_access.ts";
import type { SignedInDecision } from "./decide_step.ts";

/** What a consent page asks for. */
interface ConsentQuestion {
  pending: PendingRequest;
  claims: readonly string[];
  /** What the user is not asked for again. */
  before: AllowedBefore;
  /** The scopes that the user may refuse one by one. */
  choices: string[];
}

/** Finds out what the user is asked for: only what is missing, and what of it can be refused. */
export async function gatherQuestion(
  ctx: Context,
  { pending, client, signedIn: { user } }: SignedInDecision,
): Promise<ConsentQuestion> {
  const before = pending.prompt.includes("consent")
    ? { scope: [], claims: [] }
    : await findAllowedBefore(ctx, user, client, pending);
  const missing = pending.scope.filter((token) => !before.scope.includes(token));
  const choices = allowsPartialConsent(ctx.settings, client, pending) ? offeredScopes(missing) : [];
  return { pending, claims: askedClaims(ctx, client, pending, choices), before, choices };
}

/** The claims that the client's own rule opens do not depend on a scope that may be refused. */
function askedClaims(
  { settings }: Context,
  client: Client,
  { scope, claims }: PendingRequest,
  choices: readonly string[],
): string[] {
  const certain = scope.filter((token) => !choices.includes(token));
  return [
    ...new Set([
      ...claimsBeyondScope(scope, claims, settings, client),
      ...claimsBeyondScope(certain, undefined, settings, client),
    ]),
  ];
}

/** Describes what a consent page asks for and, separately, what the user allowed before. */
export function describeQuestion(
  describer: Describer,
  { pending, claims, before, choices }: ConsentQuestion,
): ConsentQuestionProps {
  const { scope } = pending;
  const asked = describeAccess(
    describer,
    { ...pending, scope: scope.filter((token) => !before.scope.includes(token)) },
    claims.filter((name) => !before.claims.includes(name)),
  );
  const { scopes, claims: known } = describeAccess(
    describer,
    { scope: scope.filter((token) => before.scope.includes(token)), resources: [] },
    claims.filter((name) => before.claims.includes(name)),
  );
  return { ...asked, choices, allowedBefore: { scopes, claims: known } };
}
