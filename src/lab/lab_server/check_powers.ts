import {
  collectProblems,
  type ReportProblem,
  reportUnlisted,
} from "../../server/config/problems.ts";
import { checkValue } from "../../server/config/schema.ts";
import { isWebOrigin } from "../../server/util/addresses/uri.ts";
import { labFileSchema } from "../util/lab_schema.ts";
import { checkProviders, unknownUserProblem } from "./check_providers.ts";
import type { AnyGrantConfig, LabConfig } from "./lab_config.ts";

/** The powers of a lab, and what they refer to. */
export interface PowersUnderCheck extends LabConfig {
  userNames: readonly string[];
  scopeNames: readonly string[];
}

/** Checks the powers of a lab. Throws a `ConfigError` with every problem. */
export function checkPowers(powers: PowersUnderCheck): void {
  const { signIn, profile = "oauth-2.1", userNames } = powers;
  const { report, paths, throwAny } = collectProblems();
  for (const [name, schema] of Object.entries(labFileSchema.members)) {
    const value: unknown = Reflect.get(powers, name);
    if (value !== undefined) checkValue(schema, value, name, report);
  }
  if (powers.hosts && powers.provider === undefined && powers.providers === undefined) {
    report("hosts", "needs 'provider' or 'providers'");
  }
  const isWellFormed = (name: string) => !paths().some((path) => path.startsWith(name));
  if (signIn !== undefined && !userNames.includes(signIn)) {
    report("signIn", unknownUserProblem(signIn, userNames));
  }
  if (profile !== "oauth-2.1") reportLeniencies(powers, profile, report);
  if (powers.anyGrant && isWellFormed("anyGrant")) checkAnyGrant(powers, powers.anyGrant, report);
  const types = isWellFormed("responseTypes") ? powers.responseTypes ?? [] : [];
  if (types.includes("fragment") && !types.some((type) => type.includes("id_token"))) {
    report("responseTypes", "contains 'fragment', which needs 'id_token' or 'code id_token'");
  }
  const origins = isWellFormed("drillOrigins") ? powers.drillOrigins ?? [] : [];
  for (const origin of origins.filter((each) => !isWebOrigin(each))) {
    report("drillOrigins", `contains '${origin}'; an origin is like http://app:3000`);
  }
  if (isWellFormed("providers") && isWellFormed("accounts")) checkProviders(powers, report);
  const changes = isWellFormed("responseChanges") ? powers.responseChanges ?? [] : [];
  for (const [at, { tenant }] of changes.entries()) {
    if (tenant === undefined) continue;
    report(`responseChanges[${at}].tenant`, "is not for a configuration; the tenant has its own");
  }
  throwAny("start the lab");
}

/** No profile permits a leniency. */
function reportLeniencies(
  powers: PowersUnderCheck,
  profile: string,
  report: ReportProblem,
): void {
  const { unknownClientPkce, responseTypes = [], redirectStatus } = powers;
  for (const name of ["anyClient", "anyScope", "anyGrant"] as const) {
    if (powers[name]) report(name, `is forbidden by the profile ${profile}`);
  }
  if (unknownClientPkce === "optional") {
    report("unknownClientPkce", `cannot be optional: the profile ${profile} requires PKCE`);
  }
  if (redirectStatus === 302) {
    report("redirectStatus", `cannot be 302: the profile ${profile} requires 303`);
  }
  const types = Array.isArray(responseTypes) ? responseTypes : [];
  for (const type of types.filter((each) => each !== "code")) {
    report("responseTypes", `contains '${type}', which the profile ${profile} forbids`);
  }
}

/** Checks what unknown credentials are taken for. */
function checkAnyGrant(
  { anyScope, userNames, scopeNames }: PowersUnderCheck,
  { user, scopes }: AnyGrantConfig,
  report: ReportProblem,
): void {
  if (!userNames.includes(user)) {
    report("anyGrant.user", unknownUserProblem(user, userNames));
  }
  if (anyScope) return;
  reportUnlisted(report, "anyGrant.scopes", scopes, {
    among: scopeNames,
    why: ", which is not a scope of the lab",
  });
}
