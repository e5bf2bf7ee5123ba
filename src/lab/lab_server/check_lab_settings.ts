import {
  collectProblems,
  reportDuplicates,
  type ReportProblem,
  reportUnlisted,
} from "../../server/config/problems.ts";
import { checkValue } from "../../server/config/schema.ts";
import { showValue } from "../util/json_values.ts";
import { labFileSchema } from "../util/lab_schema.ts";
import type { CoreLabConfig } from "./lab_config.ts";
import { type ProviderChoice, providerNameOf, providerNames } from "./preset_file.ts";

/** The powers of a lab, and what they refer to. */
export interface PowersUnderCheck extends CoreLabConfig {
  userNames: readonly string[];
  /** Whether a request makes any other user known. */
  takesAnyUser: boolean;
  /** Undefined where requests may name any scope. */
  scopeNames: readonly string[] | undefined;
}

/** Reports contradictions between the settings of a lab, each of which is well-formed. */
export type SettingsCheck = (powers: PowersUnderCheck, report: ReportProblem) => void;

/**
 * Checks the powers of a lab. Throws a `ConfigError` with every power that is malformed, or else
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

/** Returns why a name does not belong to a user of the lab. */
export function unknownUserProblem(name: string, userNames: readonly string[]): string {
  const choices = userNames.length > 0
    ? `the users are: ${userNames.join(", ")}`
    : "there are no users";
  return `names '${showValue(name)}', which is not a user; ${choices}`;
}

/** Checks the providers that a lab plays in tenants, and who has an account with them. */
function checkProviders(
  { provider, providers = [], accounts = {}, hosts = false, userNames }: PowersUnderCheck,
  report: ReportProblem,
): void {
  if (provider !== undefined && providers.length > 0) {
    report("providers", "cannot be combined with 'provider': list all of them");
  }
  for (const [at, choice] of providers.entries()) {
    if (isKnown(choice)) continue;
    report(`providers[${at}]`, `must be a preset, or one of: ${providerNames.join(", ")}`);
  }
  const names = providers.map(providerNameOf);
  reportDuplicates(report, "providers", names);
  const unknown = Object.keys(accounts).find((name) => !userNames.includes(name));
  if (unknown !== undefined) report("accounts", unknownUserProblem(unknown, userNames));
  if (Object.keys(accounts).length > 0 && providers.length === 0) {
    report("accounts", "needs 'providers'");
  }
  if (typeof hosts === "object") {
    const played = provider === undefined ? names : [...names, providerNameOf(provider)];
    reportUnlisted(report, "hosts", Object.keys(hosts), {
      among: played,
      why: ", which is not a provider of the lab",
    });
  }
  for (const [name, accountNames] of Object.entries(accounts)) {
    reportUnlisted(report, `accounts.${name}`, accountNames, {
      among: [...providerNames, ...names],
      why: ", which is not a provider",
    });
  }
}

/** The content of a file was checked when it was read. */
function isKnown(choice: ProviderChoice): boolean {
  return typeof choice === "object" || providerNames.some((name) => name === choice);
}
