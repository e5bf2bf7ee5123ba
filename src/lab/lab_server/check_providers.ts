import {
  reportDuplicates,
  type ReportProblem,
  reportUnlisted,
} from "../../server/config/problems.ts";
import { showValue } from "../util/show_value.ts";
import type { LabConfig } from "./lab_config.ts";
import { type ProviderChoice, providerNameOf } from "./preset_file.ts";
import { providerNames } from "./provider_names.ts";

/** The providers of a lab, and the users who may have accounts with them. */
interface ProvidersUnderCheck
  extends Pick<LabConfig, "provider" | "providers" | "accounts" | "hosts"> {
  userNames: readonly string[];
}

/** Checks the providers that a lab plays in tenants, and who has an account with them. */
export function checkProviders(
  { provider, providers = [], accounts = {}, hosts = false, userNames }: ProvidersUnderCheck,
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

/** Returns why a name does not belong to a user of the lab. */
export function unknownUserProblem(name: string, userNames: readonly string[]): string {
  const choices = userNames.length > 0
    ? `the users are: ${userNames.join(", ")}`
    : "there are no users";
  return `names '${showValue(name)}', which is not a user; ${choices}`;
}

/** The content of a file was checked when it was read. */
function isKnown(choice: ProviderChoice): boolean {
  return typeof choice === "object" || providerNames.some((name) => name === choice);
}
