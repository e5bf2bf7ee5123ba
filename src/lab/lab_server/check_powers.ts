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

/** Reports what a profile forbids. */
type CheckProfile = (powers: LabConfig, profile: string, report: ReportProblem) => void;

/**
 * Checks the powers of a lab. Throws a `ConfigError` with every power that is malformed; if none is,
 * with every contradiction between them.
 */
export function checkPowers(powers: PowersUnderCheck, checkProfile: CheckProfile): void {
  const { signIn, profile = "oauth-2.1", userNames } = powers;
  const { responseTypes = [], drillOrigins = [], responseChanges = [] } = powers;
  const { report, throwAny } = collectProblems();
  for (const [name, schema] of Object.entries(labFileSchema.members)) {
    const value: unknown = Reflect.get(powers, name);
    if (value !== undefined) checkValue(schema, value, name, report);
  }
  throwAny("start the lab");
  if (powers.hosts && powers.provider === undefined && powers.providers === undefined) {
    report("hosts", "needs 'provider' or 'providers'");
  }
  if (signIn !== undefined && !userNames.includes(signIn)) {
    report("signIn", unknownUserProblem(signIn, userNames));
  }
  if (profile !== "oauth-2.1") checkProfile(powers, profile, report);
  if (powers.anyGrant) checkAnyGrant(powers, powers.anyGrant, report);
  if (
    responseTypes.includes("fragment") && !responseTypes.some((type) => type.includes("id_token"))
  ) {
    report("responseTypes", "contains 'fragment', which needs 'id_token' or 'code id_token'");
  }
  for (const origin of drillOrigins.filter((each) => !isWebOrigin(each))) {
    report("drillOrigins", `contains '${origin}'; an origin is like http://app:3000`);
  }
  checkProviders(powers, report);
  for (const [at, { tenant }] of responseChanges.entries()) {
    if (tenant === undefined) continue;
    report(`responseChanges[${at}].tenant`, "is not for a configuration; the tenant has its own");
  }
  throwAny("start the lab");
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
