import { writeFile } from "node:fs/promises";
import type { PresetFile } from "../../lab/lab_server/preset_file.ts";
import { guardedFetch } from "../../runtime/guarded_fetch.ts";
import type { OutboundFetch } from "../../server/http/outbound_fetch.ts";
import { hasErrorCode, messageOf } from "../../server/util/text/error_message.ts";
import { counted } from "../../server/util/time/duration.ts";
import { type Invocation, operandOf, valueOf } from "../command_line/command.ts";
import { printResult } from "../command_line/listing.ts";
import { success, UsageError } from "../terminal/exit_code.ts";
import { reasonOf } from "../terminal/explain_error.ts";
import { ownName } from "../terminal/own_name.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { cloneProvider, notKnown } from "./clone_provider.ts";
import { readMetadata } from "./metadata_source.ts";

/** Makes a preset, proves that a lab can play it, and writes it to a new file. */
export async function runCloneCommand(
  invocation: Invocation,
  terminal: Terminal,
  fetch: OutboundFetch = guardedFetch({ allowPrivate: true }),
): Promise<number> {
  const date = new Date().toISOString().slice(0, "2026-01-01".length);
  const metadata = await readMetadata(operandOf(invocation, "ISSUER|FILE"), date, fetch);
  const preset = cloneProvider(metadata, valueOf(invocation, "name"));
  await checkPlayable(preset);
  const file = valueOf(invocation, "output") ?? `${preset.name}.preset.json`;
  await writeNew(file, `${JSON.stringify(preset, null, 2)}\n`);
  const { name, missing, facts } = preset;
  const result = { file, name, facts: Object.keys(facts), missing };
  printResult(invocation, terminal, result, describePreset(file, preset));
  return success;
}

/** Opens a lab with the preset, which reports what it cannot play. */
async function checkPlayable(preset: PresetFile): Promise<void> {
  const { withProvider } = await import("../../lab/handling/lab_providers.ts");
  const { openLab } = await import("../../lab/open_lab.ts");
  try {
    const lab = openLab(await withProvider({ issuer: "https://hallpass.test", provider: preset }));
    await lab.ready();
    await lab.close();
  } catch (cause) {
    throw new UsageError(`No lab can play this provider: ${messageOf(cause)}`);
  }
}

async function writeNew(file: string, content: string): Promise<void> {
  if (!file.endsWith(".json")) throw new UsageError("--output must end in .json.");
  try {
    await writeFile(file, content, { flag: "wx" });
  } catch (cause) {
    throw new UsageError(
      hasErrorCode(cause, "EEXIST")
        ? `The file ${file} exists already. Choose another one with --output FILE, or remove it.`
        : `The file ${file} cannot be written: ${reasonOf(cause)}`,
    );
  }
}

function describePreset(file: string, { facts, missing, sources }: PresetFile): string {
  const found = Object.values(facts);
  const doubts = found.filter(({ isUncertain }) => isUncertain).length;
  const [unplayed, unknown] = [false, true].map((isUnknown) =>
    missing.filter((each) => each.startsWith(notKnown) === isUnknown)
      .map((each) => each.replace(notKnown, ""))
  );
  return [
    `Wrote ${file}: ${counted(found.length, "fact")}, ${doubts} of them in doubt`,
    ...Object.values(sources).map(([url, text]) => `  from ${printable(`${url} (${text})`)}`),
    ...section("Played", found.map(({ says }) => says)),
    ...section("Not played", unplayed),
    ...section("Not known", unknown),
    "",
    `Play it:    ${ownName()} lab --provider ${file}`,
    "In a test:  hallpass({ provider: preset }), with the JSON of the file",
  ].join("\n");
}

function section(title: string, lines: readonly string[] = []): string[] {
  return lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${printable(line)}`)];
}
