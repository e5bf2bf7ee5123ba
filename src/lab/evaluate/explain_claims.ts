import type { Settings } from "../../server/config/settings.ts";
import {
  claimNames,
  type Claims,
  type ClaimTarget,
  isServerClaim,
} from "../../server/model/claims.ts";
import type { Client } from "../../server/model/client.ts";
import {
  type ClaimOrigin,
  type ComposedClaims,
  findClaimOrigins,
} from "../../server/protocol/claim_origins.ts";
import { openedNames } from "../../server/protocol/claim_rules.ts";
import { canonicalJson } from "../../server/util/text/json.ts";
import type { AbsentClaim, ClaimSource, EvaluatedClaim } from "../control/evaluation.ts";
import { findNote } from "../tokens/notes.ts";
import { describeAbsence } from "./describe_absence.ts";
import type { EvaluationFacts } from "./evaluation_facts.ts";

/** The claims of one token or response, with all that explains them. */
export interface ExplainedClaims {
  target: ClaimTarget;
  /** As the server made them. */
  issued: Claims;
  /** In the shape of the provider that the lab plays. */
  shaped: Claims;
  /** As the hooks of the test changed them. */
  claims: Claims;
  /** The names of the hooks that fired. */
  hooks: readonly string[];
  /** The sources of the claims about the user; undefined without a user. */
  composed: ComposedClaims | undefined;
}

/** Returns where each claim comes from. */
export function explainClaims(
  { settings, client }: EvaluationFacts,
  explained: ExplainedClaims,
): EvaluatedClaim[] {
  return Object.entries(explained.claims).map(([name, value]) => {
    const change = hookSource(name, explained) ?? providerSource(name, explained);
    const sources = change ? [change] : sourcesOf(name, explained, settings, client);
    return { name, value, sources };
  });
}

/** Returns the claims about the user that do not come, and why. */
export function explainAbsent(facts: EvaluationFacts, explained: ExplainedClaims): AbsentClaim[] {
  const { claims, shaped, issued, composed } = explained;
  const removed = [
    ...missingNames(issued, shaped).filter((name) => !Object.hasOwn(claims, name))
      .map((name) => ({ name, why: "The provider that the lab plays leaves it out." })),
    ...missingNames(shaped, claims)
      .map((name) => ({ name, why: `A hook removed it: ${explained.hooks.join(", ")}.` })),
  ];
  if (!composed) return removed;
  const names = candidates(facts, composed).filter((name) =>
    !Object.hasOwn(issued, name) && !Object.hasOwn(claims, name) && !isServerClaim(name)
  );
  return [...removed, ...names.flatMap((name) => describeAbsence(name, facts, composed) ?? [])];
}

/** Returns the claims that a reader may miss: those the user has, and those asked for. */
function candidates(
  { settings, named }: EvaluationFacts,
  { user, query: { scope, client, target } }: ComposedClaims,
): string[] {
  const opened = [...scope.map((token) => settings.scopeClaims.get(token)), client.claims];
  return [
    ...new Set([
      ...Object.keys(user.claims),
      ...named(target),
      ...opened.flatMap(openedNames),
      ...claimNames(scope),
    ]),
  ];
}

function missingNames(before: Claims, after: Claims): string[] {
  return Object.keys(before).filter((name) => !Object.hasOwn(after, name));
}

/** Returns what happened to a claim on the way; undefined if it stayed the same. */
function changeOf(name: string, before: Claims, after: Claims): "added" | "changed" | undefined {
  if (!Object.hasOwn(before, name)) return "added";
  return canonicalJson(before[name]) === canonicalJson(after[name]) ? undefined : "changed";
}

function hookSource(
  name: string,
  { shaped, claims, hooks }: ExplainedClaims,
): ClaimSource | undefined {
  // A hook that changes the access token changes its hash, too.
  const did = changeOf(name, shaped, claims);
  return did && { kind: "hook", rule: `A hook ${did} it: ${hooks.join(", ")}.` };
}

function providerSource(
  name: string,
  { issued, shaped }: ExplainedClaims,
): ClaimSource | undefined {
  const did = changeOf(name, issued, shaped);
  return did && { kind: "provider", rule: `The provider that the lab plays ${did} it.` };
}

function sourcesOf(
  name: string,
  { composed }: ExplainedClaims,
  settings: Settings,
  client: Client,
): ClaimSource[] {
  if (composed && !isServerClaim(name)) {
    if (Object.hasOwn(composed.added, name)) return [policySource];
    const { user, query } = composed;
    const origins = findClaimOrigins(name, user.claims, query, settings);
    if (origins.length > 0) return origins.map(toSource);
  }
  if (!composed && name === "sub") return [clientSource];
  return [composed && userSource(name, client) || protocolSource(name)];
}

const clientSource: ClaimSource = {
  kind: "protocol",
  rule: "The client itself: no user signed in.",
  see: "RFC 9068, section 2.2",
};

const policySource: ClaimSource = {
  kind: "policy",
  rule: "The policy 'claims' of the server returned it.",
};

function toSource(origin: ClaimOrigin): ClaimSource {
  switch (origin.by) {
    case "scope":
      return {
        kind: "scope",
        rule: `The scope '${origin.scope}' was granted.`,
        scope: origin.scope,
      };
    case "client":
      return { kind: "client", rule: "The client's setting 'claims' lists it." };
    case "request":
      return {
        kind: "request",
        rule: "The parameter 'claims' names it, and the client may ask for it.",
        see: "OpenID Connect Core, section 5.5",
      };
  }
}

function userSource(name: string, { subjectType }: Client): ClaimSource | undefined {
  if (name === "username") return { kind: "user", rule: "The name of the user." };
  if (name !== "sub") return undefined;
  const rule = subjectType === "pairwise"
    ? "Derived from the user's 'sub' for this client: its subjects are pairwise."
    : "The 'sub' of the user.";
  return { kind: "user", rule, see: "OpenID Connect Core, section 8" };
}

function protocolSource(name: string): ClaimSource {
  const note = findNote("response", name);
  return note
    ? { kind: "protocol", rule: note.says, see: note.see }
    : { kind: "protocol", rule: "The server sets it." };
}
