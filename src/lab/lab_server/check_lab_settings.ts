import { collectProblems, type ReportProblem } from "../../server/config/problems.ts";
import { checkValue } from "../../server/config/schema.ts";
import { showValue } from "../util/json_values.ts";
import { labFileSchema } from "../util/lab_schema.ts";
import type { CoreLabConfig } from "./core_lab_config.ts";

/** The settings of a lab, and what they refer to. */
export interface SettingsUnderCheck extends CoreLabConfig {
  userNames: readonly string[];
  /** Whether a request makes any other user known. */
  takesAnyUser: boolean;
  /** Undefined where requests may name any scope. */
  scopeNames: readonly string[] | undefined;
}

/** Reports contradictions between the settings of a lab, each of which is well-formed. */
export type SettingsCheck = (settings: SettingsUnderCheck, report: ReportProblem) => void;

/**
 * Checks the settings of a lab that its server does not know. Throws a `ConfigError` with every one
 * that is malformed, or else with every contradiction between them.
 */
export function checkLabSettings(
  settings: SettingsUnderCheck,
  checks: readonly SettingsCheck[],
): void {
  const { signIn, userNames, takesAnyUser } = settings;
  const { report, throwAny } = collectProblems();
  for (const [name, schema] of Object.entries(labFileSchema.members)) {
    const value: unknown = Reflect.get(settings, name);
    if (value !== undefined) checkValue(schema, value, name, report);
  }
  throwAny("start the lab");
  if (signIn !== undefined && !takesAnyUser && !userNames.includes(signIn)) {
    report("signIn", unknownUserProblem(signIn, userNames));
  }
  for (const check of checks) check(settings, report);
  throwAny("start the lab");
}

/** Returns why a name does not belong to a user of the lab. */
export function unknownUserProblem(name: string, userNames: readonly string[]): string {
  const choices = userNames.length > 0
    ? `the users are: ${userNames.join(", ")}`
    : "there are no users";
  return `names '${showValue(name)}', which is not a user; ${choices}`;
}
