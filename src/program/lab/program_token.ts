import { resolve } from "node:path";
import type { Lab } from "../../lab/control/lab.ts";
import { withProvider } from "../../lab/handling/provider_settings.ts";
import { type ProviderChoice, providerNameOf } from "../../lab/lab_server/preset_file.ts";
import { type Invocation, valueOf } from "../command_line/command.ts";
import type { LabFileConfig } from "../configuration/program_config.ts";
import { UsageError } from "../terminal/usage_error.ts";

/** The settings that decide which issuers of a lab have tokens for programs. */
type Played = Pick<LabFileConfig, "provider" | "providers" | "dialect">;

/**
 * Returns the absolute path that `--token-file` names.
 *
 * @throws {UsageError} No issuer of the lab has tokens for programs, or more than one.
 */
export async function readTokenFile(
  invocation: Invocation,
  { provider, providers = [], dialect }: Played,
): Promise<string | undefined> {
  const path = valueOf(invocation, "token-file");
  if (path === undefined) return undefined;
  const choices = [provider, ...providers];
  const issues = await Promise.all(choices.map((choice) => issuesTokens(choice, dialect)));
  const issuing = choices.filter((_, at) => issues[at]).map(nameOf);
  if (issuing.length === 1) return resolve(path);
  throw new UsageError(
    issuing.length === 0
      ? "--token-file needs a provider that issues tokens to programs: --provider kubernetes or " +
        "--provider github-actions"
      : `--token-file holds one token, and several here issue tokens to programs: ${
        issuing.join(", ")
      }. Start a lab for each.`,
  );
}

async function issuesTokens(
  provider: ProviderChoice | undefined,
  dialect: Played["dialect"],
): Promise<boolean> {
  const played = await withProvider({ provider, dialect });
  return played.dialect?.workloadTokens !== undefined;
}

function nameOf(choice: ProviderChoice | undefined): string {
  return choice === undefined ? "the lab itself" : providerNameOf(choice);
}

/** Returns what keeps the token of a lab in a file. A reset opens the tenants of a lab anew. */
export function createTokenKeeper(path: string | undefined): (lab: Lab) => Promise<void> {
  let kept: Lab | undefined;
  return async (lab) => {
    const issuing = path === undefined ? undefined : findIssuing(lab);
    if (path === undefined || !issuing || issuing === kept) return;
    await issuing.tokenFile(path);
    kept = issuing;
  };
}

/** Finds the lab, or the tenant of a provider, that issues tokens to programs. */
function findIssuing(lab: Lab): Lab | undefined {
  const labs = [lab, ...lab.tenants.ids().map(lab.tenants.find)];
  return labs.find(({ settings }) => settings.config().dialect?.workloadTokens !== undefined);
}
