import type { ProvenClient } from "../../grants/grant.ts";
import type { RequestContext } from "../../issuer/context.ts";
import { assertionMark } from "../../issuer/external/external_jwt.ts";
import type { AccessRights } from "../../model/access_token.ts";
import {
  narrowAccessRights,
  readRequestedAccess,
  type RequestedAccess,
} from "../../protocol/access_request.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import { spelledAsGranted } from "../../protocol/resource.ts";
import { requirePresent, requireValue } from "../../protocol/rule.ts";
import { readScope } from "../../protocol/scope.ts";
import { assertionRules } from "./assertion_rules.ts";
import type { WorkloadRule } from "./config.ts";
import { verifyWorkload } from "./verify_workload.ts";
import { hasClaims, ruleEpoch, workloadClient, workloadSubject } from "./workload.ts";
import { workloadRules } from "./workload_rules.ts";

/**
 * Verifies the token that a platform gave to one of its workloads (RFC 7523, section 2.1, without a
 * client; MCP Workload Identity Federation). It names no user, and yields only an access token.
 */
export async function proveWorkload(
  ctx: RequestContext,
  parameters: FormParameters,
): Promise<ProvenClient> {
  const jwt = requirePresent(ctx.apply, assertionRules.present, parameters.get("assertion"));
  const { issuer, claims } = await verifyWorkload(ctx, jwt);
  const client = workloadClient(ctx.settings, workloadSubject(issuer, String(claims.sub)));
  ctx.note({ client: client.id });
  return {
    client,
    async redeem(jkt) {
      ctx.apply(workloadRules.key, { claims, jkt });
      const known = issuer.workloads.filter((rule) => hasClaims(claims, rule.claims));
      ctx.apply(workloadRules.known, { isKnown: known.length > 0 });
      const requested = readRequestedAccess(parameters, ctx.settings);
      const { rule, access } = workloadAccess(ctx, known, requested);
      return {
        client: { ...client, epoch: await ruleEpoch(issuer, rule) },
        entitlement: { ...access, accessTokenOnly: true },
        use: {
          mark: assertionMark(ctx, { issuer: issuer.issuer }, claims),
          check: async (isFirst) => ctx.apply(workloadRules.unused, { isFirst }),
        },
      };
    },
  };
}

/** Rules are not combined: the scopes of one are not for the resources of another. */
function workloadAccess(
  { apply, settings }: RequestContext,
  known: readonly WorkloadRule[],
  requested: RequestedAccess,
): { rule: WorkloadRule; access: AccessRights } {
  const resources = [...requested.resources, ...requested.audiences];
  const covering = known.filter((rule) =>
    resources.every((each) =>
      rule.resources.includes(spelledAsGranted(rule.resources, each, settings.resources))
    )
  );
  const facts = { isCovered: covering.length > 0, resources };
  const scopes = requested.scope?.split(" ") ?? [];
  const rule = requireValue(
    apply,
    workloadRules.resource,
    facts,
    covering.find((each) => scopes.every((token) => each.scopes.includes(token))) ?? covering[0],
  );
  const scope = readScope(apply, requested.scope, rule.scopes, rule.scopes);
  const allowed = { scope, resources: rule.resources, authorizationDetails: undefined };
  return { rule, access: narrowAccessRights(apply, requested, allowed, settings) };
}
