import { collectProblems, type ReportProblem } from "../../server/config/problems.ts";
import { checkValue } from "../../server/config/schema.ts";
import { labFileSchema } from "../util/lab_schema.ts";
import { checkProviders, unknownUserProblem } from "./check_providers.ts";
import type { LabConfig } from "./lab_config.ts";

/** The powers of a lab, and what they refer to. */
export interface PowersUnderCheck extends LabConfig {
  userNames: readonly string[];
  /** Whether a request makes any other user known. */
  takesAnyUser: boolean;
  /** Undefined where requests may name any scope. */
  scopeNames: readonly string[] | undefined;
}

/** Reports contradictions between the settings of a lab, each of which is well-formed. */
export type SettingsCheck = (powers: PowersUnderCheck, report: ReportProblem) => void;

/**
 * Checks the powers of a lab. Throws a `ConfigError` with every power that is malformed; if none is,
 * with every contradiction between them.
 */
export function checkPowers(powers: PowersUnderCheck, checks: readonly SettingsCheck[]): void {
  const { signIn, userNames, takesAnyUser } = powers;
  const { report, throwAny } = collectProblems();
  for (const [name, schema] of Object.entries(labFileSchema.members)) {
    const value: unknown = Reflect.get(powers, name);
    if (value !== undefined) checkValue(schema, value, name, report);
  }
  throwAny("start the lab");
  if (powers.hosts && powers.provider === undefined && powers.providers === undefined) {
    report("hosts", "needs 'provider' or 'providers'");
  }
  if (signIn !== undefined && !takesAnyUser && !userNames.includes(signIn)) {
    report("signIn", unknownUserProblem(signIn, userNames));
  }
  for (const check of checks) check(powers, report);
  checkProviders(powers, report);
  throwAny("start the lab");
}
