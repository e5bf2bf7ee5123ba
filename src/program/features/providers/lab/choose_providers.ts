import { dirname, resolve } from "node:path";
import {
  isPresetPath,
  type PresetFile,
  type ProviderChoice,
} from "../../../../lab/features/providers/config.ts";
import { messageOf } from "../../../../server/util/text/error_message.ts";
import { parseJson } from "../../../../server/util/text/json.ts";
import { type Invocation, valueOf } from "../../../command_line/command.ts";
import { type LabFileConfig, readTextFile } from "../../../configuration/program_config.ts";
import { UsageError } from "../../../terminal/exit_code.ts";

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
