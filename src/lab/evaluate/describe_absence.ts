import type { ClaimTarget } from "../../server/model/claims.ts";
import { type ComposedClaims, explainAbsence } from "../../server/protocol/claim_origins.ts";
import type { AbsentClaim } from "../control/evaluation.ts";
import type { EvaluationFacts } from "./evaluation_facts.ts";

const targetNames: Readonly<Record<ClaimTarget, string>> = {
  id_token: "the ID token",
  access_token: "the access token",
  userinfo: "userinfo",
};

/** Describes why a claim about the user does not come; undefined if none would expect it. */
export function describeAbsence(
  name: string,
  facts: EvaluationFacts,
  { user: { claims }, query }: ComposedClaims,
): AbsentClaim | undefined {
  const { settings, named } = facts;
  const asked = { names: named(query.target), scopes: [...settings.scopes.keys()] };
  const absence = explainAbsence(name, claims, query, settings, asked);
  const isExpected = Object.hasOwn(claims, name) || asked.names.includes(name);
  switch (absence.reason) {
    case "no value":
      return { name, why: "The user has no such claim." };
    case "other value":
      return { name, why: "The parameter 'claims' accepts other values only." };
    case "not allowed":
      return {
        name,
        why: "The parameter 'claims' names it, but no scope or setting of the client allows it.",
      };
    case "scope":
      return isExpected ? scopeAbsence(name, absence.scopes, facts) : undefined;
    case "target":
      return isExpected ? { name, why: describeTargets(absence.targets) } : undefined;
    case "no rule":
      return isExpected
        ? { name, why: "No scope and no setting of the client opens it here." }
        : undefined;
  }
}

/** Names one scope: the first that the client could ask for. */
function scopeAbsence(
  name: string,
  scopes: readonly string[],
  { client, dropped }: EvaluationFacts,
): AbsentClaim {
  const [first = "", ...others] = scopes;
  const scope = [first, ...others].find((token) => client.scopes.includes(token)) ?? first;
  const reason = dropped.get(scope);
  if (reason !== undefined) {
    return { name, scope, why: `The scope '${scope}' was not granted. ${reason}` };
  }
  const why = client.scopes.includes(scope)
    ? `The scope '${scope}' was not requested.`
    : `The client may not ask for the scope '${scope}'.`;
  return { name, scope, why };
}

function describeTargets(targets: readonly ClaimTarget[]): string {
  const names = targets.map((target) => targetNames[target]).join(" and ");
  return `It is for ${names} only. The setting 'claims' of the client, or of a scope, ` +
    "can open it here.";
}
