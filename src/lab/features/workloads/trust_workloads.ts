import type { JWK } from "jose";
import { isApiScope } from "../../../server/model/claims.ts";
import { issuerUrl } from "../../../server/protocol/issuer_url.ts";
import { isObject } from "../../../server/util/text/json.ts";
import { once } from "../../../server/util/time/promises.ts";
import { demoScopes } from "../../demo/demo_scopes.ts";
import type { GivenLabConfig } from "../../lab_server/core_lab_config.ts";
import { toScopes } from "../../lab_server/lab_scopes.ts";
import { makeTestKey } from "../../tokens/test_keys.ts";
import type { WorkloadsSetting } from "./config.ts";
import { sources } from "./source.ts";

/** Loads the key of all sources, which is not the first one of a lab. */
export const loadSourceKey = once(() => makeTestKey("RS256", "workloads", 1));

export function keySetOf({ kty, n, e, kid, alg, use }: JWK): { keys: JWK[] } {
  return { keys: [{ kty, n, e, kid, alg, use } as JWK] };
}

/** Returns the settings by which the server of a lab takes the tokens of its sources. */
export function withWorkloads(given: GivenLabConfig & WorkloadsSetting, key: JWK): GivenLabConfig {
  const { issuer, workloads, scopes, resources, workloadIssuers = [] } = given;
  // The server reports what is malformed.
  if (issuer === undefined || !Array.isArray(workloadIssuers)) return {};
  const access = {
    resources: Array.isArray(resources)
      ? resources.map((each) => typeof each === "string" ? each : each.uri)
      : [issuer],
    scopes: Object.entries(toScopes(scopes) ?? demoScopes)
      .filter(([name, scope]) =>
        isApiScope(name, { ownGroups: false }) && !(isObject(scope) && scope.claims)
      )
      .map(([name]) => name),
  };
  const audience = typeof workloads === "object" ? workloads.audience : undefined;
  const own = Object.entries(sources).map(([name, facts]) => ({
    name,
    issuer: issuerUrl(issuer, facts.issuerPath),
    ...audience !== undefined && { audience },
    jwks: keySetOf(key),
    reusable: facts.reusable,
    workloads: [{ claims: { [facts.identity]: facts.claims[facts.identity] }, ...access }],
    // What a test configures for a source comes first.
    ...workloadIssuers.find((each) => each.issuer === issuerUrl(issuer, facts.issuerPath)),
  }));
  const others = workloadIssuers.filter((each) => own.every((of) => of.issuer !== each.issuer));
  return { workloadIssuers: [...others, ...own] };
}
