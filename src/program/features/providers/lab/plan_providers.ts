import { dirname, resolve } from "node:path";
import { playedHosts } from "../../../../lab/dialect/played_hosts.ts";
import { features } from "../../../../lab/features.ts";
import {
  isPresetPath,
  type PresetFile,
  type ProviderChoice,
  providerNameOf,
} from "../../../../lab/features/providers/config.ts";
import { loadCompletion } from "../../../../lab/handling/complete_settings.ts";
import type { LabConfig } from "../../../../lab/lab_config.ts";
import { isLoopbackHost, isLoopbackName, parseUrl } from "../../../../server/util/addresses/uri.ts";
import { messageOf } from "../../../../server/util/text/error_message.ts";
import { parseJson } from "../../../../server/util/text/json.ts";
import { type Invocation, valueOf } from "../../../command_line/command.ts";
import { type LabFileConfig, readTextFile } from "../../../configuration/program_config.ts";
import type { GivenLab, PlannedLab } from "../../../lab/real_hosts.ts";
import { UsageError } from "../../../terminal/exit_code.ts";
import { hasRealHosts } from "../command_line.ts";

/** The providers of a lab, and whether they have their real hosts. */
type PlayedProviders = Pick<LabFileConfig, "provider" | "providers" | "hosts">;

/** What decides about the hosts of a lab. */
interface HostChoice extends PlayedProviders {
  /** The configured issuer: that of the one provider. */
  issuer: string | undefined;
  /** The name or address to listen on. */
  hostname: string;
}

/** What a lab plays at the real hosts of providers. */
interface RealHosts {
  /** The settings of the lab: each provider is in a tenant, and has its issuer. */
  lab: PlayedProviders;
  /** The names of all hosts, which lead to the lab. */
  names: string[];
}

/** Plans which providers a lab plays, and whether it has their hosts. */
export async function planProviders(
  invocation: Invocation,
  { lab, ...place }: GivenLab,
): Promise<PlannedLab> {
  const chosen = { ...lab, ...await chosenProviders(invocation, lab) };
  const hosts = await readRealHosts(invocation, { ...chosen, ...place });
  return hosts ? { lab: { ...chosen, ...hosts.lab }, hostNames: hosts.names } : { lab: chosen };
}

/**
 * Returns the hosts of the providers that a lab plays, if it is to have them. The lab itself stays
 * at localhost, so that no such host opens its interface.
 */
export async function readRealHosts(
  invocation: Invocation,
  { hostname, ...chosen }: HostChoice,
): Promise<RealHosts | undefined> {
  const { provider, providers = [], issuer } = chosen;
  if (!hasRealHosts(invocation, chosen)) return undefined;
  const choices = provider === undefined ? providers : [provider];
  checkReach(invocation, hostname);
  if (choices.length === 0) {
    throw new UsageError("--hosts needs the providers whose hosts the lab has: --provider google");
  }
  if (issuer !== undefined && choices.length > 1) {
    throw new UsageError("With --hosts, --issuer is that of the provider: name one --provider.");
  }
  const hosts = issuersOf(choices, chosen);
  const names = await Promise.all(choices.map((choice) => namesOf(choice, hosts)));
  const lab = { provider: undefined, providers: choices, hosts };
  return { lab, names: [...new Set(names.flat())] };
}

function checkReach({ values }: Invocation, hostname: string): void {
  if (!values.has("expose") && isLoopbackHost(hostname)) return;
  throw new UsageError(
    "--hosts is for this machine alone: others would take the lab for the real providers. Remove " +
      "--expose and --host.",
  );
}

/** Adds the issuer of the one provider, if it is configured. */
function issuersOf(
  [choice]: readonly ProviderChoice[],
  { hosts, issuer }: Pick<HostChoice, "hosts" | "issuer">,
): NonNullable<PlayedProviders["hosts"]> {
  if (issuer !== undefined && choice) return { [providerNameOf(choice)]: issuer };
  return hosts || true;
}

async function namesOf(
  provider: ProviderChoice,
  hosts: PlayedProviders["hosts"],
): Promise<string[]> {
  const given: Partial<LabConfig> = { provider, hosts };
  const complete = await loadCompletion(given, features);
  const { issuer, dialect } = complete(given);
  const names = [parseUrl(issuer ?? "")?.hostname ?? "", ...playedHosts(dialect?.hosts)];
  return names.filter((name) => name !== "" && !isLoopbackName(name));
}

/**
 * Returns the providers that the command line names, or else the configuration, with the content of
 * files in place of their paths.
 */
export async function chosenProviders(
  invocation: Invocation,
  { provider, providers }: LabFileConfig,
): Promise<Pick<LabFileConfig, "provider" | "providers">> {
  const named = invocation.values.get("provider") as ProviderChoice[] | undefined;
  if (named !== undefined) {
    const choices = await readChoices(named, ".");
    const areSeveral = choices.length > 1;
    return areSeveral
      ? { provider: undefined, providers: choices }
      : { provider: choices[0], providers: undefined };
  }
  const folder = dirname(valueOf(invocation, "config") ?? "");
  return {
    ...provider !== undefined && { provider: await readChoice(provider, folder) },
    ...Array.isArray(providers) && { providers: await readChoices(providers, folder) },
  };
}

async function readChoices(
  choices: readonly ProviderChoice[],
  folder: string,
): Promise<ProviderChoice[]> {
  return await Promise.all(choices.map((choice) => readChoice(choice, folder)));
}

async function readChoice(choice: ProviderChoice, folder: string): Promise<ProviderChoice> {
  return isPresetPath(choice) ? await readPreset(resolve(folder, choice)) : choice;
}

/** Reads a file with a preset, which may come from anywhere. */
async function readPreset(path: string): Promise<PresetFile> {
  const content = parseJson(await readTextFile(path));
  if (content === undefined) throw new UsageError(`The file ${path} is not JSON.`);
  const { readPresetFile } = await import("../../../../lab/features/providers/read_preset_file.ts");
  try {
    readPresetFile(content);
    return content as PresetFile;
  } catch (cause) {
    throw new UsageError(`The file ${path} cannot be played. ${messageOf(cause)}`);
  }
}
