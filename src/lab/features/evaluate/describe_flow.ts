import { mayRefresh } from "../../../server/model/client.ts";
import type { User } from "../../../server/model/user.ts";
import { findFollowUpUrl } from "../../client_role/follow_up.ts";
import { type EndpointSource, findEndpointUrl } from "../../dialect/lab_endpoints.ts";
import { jsonOf } from "../../recording/exchange.ts";
import { splitScope } from "../../tokens/mint_options.ts";
import { type DryRun, type DryRunParts, endpointsOf } from "./dry_run.ts";
import type { DryRunFlow } from "./dry_run_flow.ts";
import {
  type DryRunResults,
  dryRunResults,
  evaluatedResponse,
  type ReadClaims,
} from "./dry_run_results.ts";
import type {
  EvaluatedRefusal,
  EvaluatedResult,
  EvaluatedScope,
  Evaluation,
} from "./evaluation.ts";
import type { FlowPlan } from "./flow_plan.ts";

const noUser = "No user signed in: the client acts for itself.";
const removedByHook = "A hook of the test removed it.";

/** A flow that was played, and who took part. */
interface PlayedEvaluation {
  flow: DryRunFlow;
  user: User | undefined;
  requestedScope: readonly string[];
}

/** Describes what came of a flow. */
export async function describeFlow(
  parts: DryRunParts,
  plan: FlowPlan,
  { flow, user, requestedScope }: PlayedEvaluation,
): Promise<Evaluation> {
  const { client: { known: client }, grant, dryRun } = plan;
  const parties = { client: client.id, ...user && { user: user.name }, grant };
  const { exchange, refusal } = flow;
  if (!exchange || refusal) {
    const scope = { requested: [...requestedScope], granted: [], dropped: [] };
    return { ...parties, scope, refusal, ...allResults(missing("The request is refused.")) };
  }
  const results = await dryRunResults(parts, plan, { ...flow, exchange });
  const scope = describeScope(dryRun, {
    requested: requestedScope,
    authorized: flow.authorizedScope,
    granted: splitScope(String(jsonOf(exchange.response)?.scope ?? "")),
  });
  return {
    ...parties,
    scope,
    token_response: evaluatedResponse(results.response),
    ...describeResults(plan, { ...results, source: endpointsOf(parts) }, scope),
  };
}

type Results = Pick<
  Evaluation,
  "access_token" | "id_token" | "refresh_token" | "userinfo" | "introspection"
>;

function allResults(result: EvaluatedResult): Results {
  return {
    access_token: result,
    id_token: result,
    refresh_token: result,
    userinfo: result,
    introspection: result,
  };
}

function present({ format, claims }: ReadClaims, why: string): EvaluatedResult {
  return { comes: true, why, format, claims };
}

function missing(why: string, refusal?: EvaluatedRefusal): EvaluatedResult {
  return { comes: false, why, refusal, claims: {} };
}

/** What came of a flow, and where clients find endpoints. */
interface LocatedResults extends DryRunResults {
  source: EndpointSource;
}

function describeResults(
  plan: FlowPlan,
  { body, accessToken, idToken, userinfo, introspection, source }: LocatedResults,
  scope: EvaluatedScope,
): Results {
  return {
    access_token: accessToken
      ? present(accessToken, describeAccess(source, accessToken))
      : missing(removedByHook),
    id_token: idToken
      ? present(idToken, "The scope has 'openid', and a user signed in.")
      : missing(idTokenAbsence(plan, scope)),
    refresh_token: describeRefresh(plan, body),
    userinfo: describeResponse(
      userinfo,
      plan.options.user === undefined ? noUser : "The provider has nothing that describes a user.",
      describeUserinfo(source),
    ),
    introspection: describeResponse(
      introspection,
      canIntrospect(source)
        ? "A public client cannot introspect, and no other client may see its tokens."
        : "The provider has no introspection endpoint.",
      "What an API learns when it asks about the token.",
    ),
  };
}

/** Returns why a token response has no ID token. */
function idTokenAbsence(
  { options: { user }, dryRun: { server } }: FlowPlan,
  { granted }: EvaluatedScope,
): string {
  if (user === undefined) return noUser;
  if (!server.context.settings.scopes.has("openid")) {
    return "The server has no scope 'openid', and so no ID tokens.";
  }
  return granted.includes("openid") ? removedByHook : "The scope 'openid' was not granted.";
}

function describeAccess(source: EndpointSource, { format }: ReadClaims): string {
  if (format !== "opaque") return "A JWT, which every API can read.";
  return canIntrospect(source)
    ? "An opaque token: only introspection shows these claims."
    : "An opaque token: only the provider knows these claims.";
}

function canIntrospect(source: EndpointSource): boolean {
  return findEndpointUrl(source, "introspection_endpoint") !== undefined;
}

function describeUserinfo(source: EndpointSource): string {
  if (findEndpointUrl(source, "userinfo_endpoint") !== undefined) {
    return "The access token has the scope 'openid'.";
  }
  return `The provider has no userinfo: this is its API ${findFollowUpUrl(source, "userinfo")}.`;
}

function describeResponse(
  found: ReadClaims | EvaluatedRefusal | undefined,
  absence: string,
  why: string,
): EvaluatedResult {
  if (!found) return missing(absence);
  return "error" in found ? missing(found.description, found) : present(found, why);
}

/** A refresh token is a random text, without claims. */
function describeRefresh(
  { client: { known }, options, dryRun }: FlowPlan,
  body: Record<string, unknown>,
): EvaluatedResult {
  if (typeof body.refresh_token === "string") {
    return { ...missing("The client has the grant 'refresh_token'."), comes: true };
  }
  if (options.user === undefined) return missing("No user signed in: the client asks again.");
  if (!mayRefresh(known, dryRun.server.context.settings)) {
    const party = known.grantTypes.includes("refresh_token") ? "server" : "client";
    return missing(`The ${party} does not have the grant 'refresh_token'.`);
  }
  return missing("The response has none.");
}

/** The scope at each step of a flow. */
interface ScopeSteps {
  requested: readonly string[];
  /** What the user allowed; undefined if there was no authorization. */
  authorized: readonly string[] | undefined;
  /** The scope of the access token. */
  granted: readonly string[];
}

/** Describes what became of a scope. */
function describeScope(
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
