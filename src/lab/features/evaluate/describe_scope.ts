import type { DryRun } from "./dry_run.ts";
import type { EvaluatedScope } from "./evaluation.ts";

/** The scope at each step of a flow. */
export interface ScopeSteps {
  requested: readonly string[];
  /** What the user allowed; undefined if there was no authorization. */
  authorized: readonly string[] | undefined;
  /** The scope of the access token. */
  granted: readonly string[];
}

/** Describes what became of a scope. */
export function describeScope(
  { unpermitted }: Pick<DryRun, "unpermitted">,
  { requested, authorized, granted }: ScopeSteps,
): EvaluatedScope {
  const dropped = requested.filter((token) => !granted.includes(token));
  return {
    requested: [...requested],
    granted: [...granted],
    dropped: dropped.map((scope) => ({
      scope,
      why: describeDropped(scope, unpermitted, authorized ?? requested),
    })),
  };
}

function describeDropped(
  scope: string,
  unpermitted: ReadonlySet<string>,
  authorized: readonly string[],
): string {
  if (unpermitted.has(scope)) return "The policy 'scope' of the server does not permit it.";
  if (authorized.includes(scope)) return "No resource of the access token knows it.";
  if (scope !== "offline_access") return "The server left it out.";
  return "The request has no 'prompt=consent', and this client's consent is remembered " +
    "(OpenID Connect Core, section 11).";
}
