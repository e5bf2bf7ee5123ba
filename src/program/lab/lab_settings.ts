import { dirname, resolve } from "node:path";
import { labTokenProblem } from "../../lab/control/lab_access.ts";
import { fetchByOrigin } from "../../lab/handling/page_origin.ts";
import type { LabPowers } from "../../lab/lab_config.ts";
import {
  isPresetPath,
  type PresetFile,
  type ProviderChoice,
} from "../../lab/lab_server/preset_file.ts";
import { labFileSchema } from "../../lab/util/lab_schema.ts";
import { guardedFetch } from "../../runtime/guarded_fetch.ts";
import { collectProblems } from "../../server/config/problems.ts";
import { checkValue } from "../../server/config/schema.ts";
import { isLoopbackHost } from "../../server/util/addresses/uri.ts";
import { messageOf } from "../../server/util/text/error_message.ts";
import { parseJson } from "../../server/util/text/json.ts";
import { type Invocation, settingsOf, valueOf } from "../command_line/command.ts";
import { labOptions } from "../command_line/lab_options.ts";
import {
  type LabFileConfig,
  readTextFile,
  type ServerConfig,
} from "../configuration/program_config.ts";
import { UsageError } from "../terminal/exit_code.ts";

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

/**
 * Lets a lab that only this machine can reach fetch the documents of clients under test from here,
 * but not for a page of another origin in some browser on this machine.
 */
export function withLabFetch(invocation: Invocation, server: ServerConfig): ServerConfig {
  const isLocal = !valueOf(invocation, "expose");
  const privateFetches = server.insecure?.privateFetches ?? isLocal;
  if (!privateFetches) return { fetchUntrusted: guardedFetch(), ...server };
  return {
    fetchUntrusted: fetchByOrigin(guardedFetch({ allowPrivate: true }), guardedFetch()),
    ...server,
    insecure: { ...server.insecure, privateFetches },
  };
}

/** Returns the powers that the command line gives a lab. */
export function labPowersOf({ values }: Invocation): LabPowers {
  return { ...settingsOf(labOptions, values), controlApart: values.has("lab-port") };
}

/** Checks what a configuration file holds for a lab. Other commands take none of it anyway. */
export function checkLabConfig(lab: LabFileConfig): void {
  const problems = collectProblems();
  checkValue(labFileSchema, lab, "", problems.report);
  problems.throwAny("start the server");
}

/** Prevents a lab, which signs in anyone, from being reachable from a network by accident. */
export function checkExposure(invocation: Invocation, hostname: string): void {
  const expose = valueOf(invocation, "expose");
  const labToken = valueOf(invocation, "lab-token");
  if (!isLoopbackHost(hostname) && !expose) {
    throw new UsageError(
      `On ${hostname}, other machines could reach this lab and sign in as any user. If you want ` +
        "that, add --expose and --lab-token TOKEN.",
    );
  }
  if (expose && !labToken) {
    throw new UsageError("--expose needs --lab-token TOKEN, which protects /lab.");
  }
  const problem = labToken && labTokenProblem(labToken);
  if (problem) throw new UsageError(`--lab-token ${problem}`);
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
  const { readPresetFile } = await import("../../lab/providers/read_preset_file.ts");
  try {
    readPresetFile(content);
    return content as PresetFile;
  } catch (cause) {
    throw new UsageError(`The file ${path} cannot be played. ${messageOf(cause)}`);
  }
}
