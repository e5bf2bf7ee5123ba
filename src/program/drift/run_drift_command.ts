import { isPresetPath, type ProviderChoice } from "../../lab/lab_server/preset_file.ts";
import { providerNames } from "../../lab/lab_server/provider_names.ts";
import { unknownName } from "../../lab/util/lab_error.ts";
import { canonicalJson, isObject, parseJson } from "../../server/util/text/json.ts";
import { type Invocation, operandOf, valueOf } from "../command_line/command.ts";
import { printResult } from "../command_line/listing.ts";
import { readTextFile } from "../configuration/program_config.ts";
import { readPreset } from "../lab/chosen_providers.ts";
import { fetchKeySet, type ProviderNetwork, systemNetwork } from "../metadata/fetch_metadata.ts";
import { readProviderSource } from "../metadata/metadata_source.ts";
import { isAddress, type ReadMetadata } from "../metadata/provider_metadata.ts";
import { failure, success } from "../terminal/exit_code.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage_error.ts";
import type { Difference } from "./compare_metadata.ts";
import { playProvider } from "./compared_provider.ts";
import { describeDrift, reportDrift } from "./drift_report.ts";
import { findDrift } from "./find_drift.ts";

/** Compares a provider with a preset, and fails if it does anything else. */
export async function runDriftCommand(
  invocation: Invocation,
  terminal: Terminal,
  network: ProviderNetwork = systemNetwork(),
): Promise<number> {
  const named = operandOf(invocation, "PRESET ISSUER|FILE");
  const choice = isPresetPath(named) ? await readPreset(named) : knownProvider(named);
  const isKnown = await readKnown(valueOf(invocation, "known"));
  const given = invocation.secondOperand;
  const operand = given ?? await sourceOf(choice);
  // A file may come from anywhere: what it names is not what the user typed.
  const isForeign = given === undefined && isPresetPath(named);
  const reached = isForeign ? { ...network, fetchGiven: network.fetchNamed } : network;
  const real = await readReal(operand, reached);
  const played = await playProvider(choice, real);
  const keySet = await readKeySet(real, reached);
  const about = { preset: played.preset.name, with: real.url ?? operand, date: real.date };
  const report = reportDrift(about, findDrift(played, real, keySet), isKnown);
  printResult(invocation, terminal, report, describeDrift(report));
  return report.drift ? failure : success;
}

function knownProvider(name: string): ProviderChoice {
  const known = providerNames.find((each) => each === name);
  if (known !== undefined) return known;
  throw new UsageError(
    `${unknownName("provider", name, providerNames).message} Or a file in .json.`,
  );
}

/** Without an issuer, the preset names where its metadata comes from. */
async function sourceOf(choice: ProviderChoice): Promise<string> {
  const { requirePreset } = await import("../../lab/preset_files/require_preset.ts");
  const { name, sources } = await requirePreset(choice);
  const urls = Object.values(sources).map(([url]) => url);
  const url = urls.find((each) => isAddress(each) && each.includes("/.well-known/"));
  if (url !== undefined) return url;
  throw new UsageError(
    `The preset ${name} names no metadata: hallpass drift ${name} ISSUER, or a file with metadata.`,
  );
}

async function readReal(operand: string, network: ProviderNetwork): Promise<ReadMetadata> {
  const today = new Date().toISOString().slice(0, "2026-01-01".length);
  const source = await readProviderSource(operand, today, network);
  if (source.kind === "metadata") return source.metadata;
  throw new UsageError(
    `The file ${operand} is a HAR. hallpass clone reads it; drift needs metadata.`,
  );
}

/** Keys are compared if the metadata was just fetched: those of a file may be long gone. */
async function readKeySet(
  { document, url, isFetched }: ReadMetadata,
  network: ProviderNetwork,
): Promise<unknown> {
  const { jwks_uri: keys } = document;
  if (!isFetched || url === undefined || typeof keys !== "string") return undefined;
  return await fetchKeySet(keys, url, network) ?? {};
}

/** Reads the differences of an earlier report, which are no news. */
async function readKnown(file: string | undefined): Promise<(difference: Difference) => boolean> {
  if (file === undefined) return () => false;
  const report = parseJson(await readTextFile(file));
  const { differences, known = [] } = isObject(report) ? report : {};
  if (!Array.isArray(differences) || !Array.isArray(known)) {
    throw new UsageError(
      `The file ${file} is not a report: write one with hallpass drift … --json.`,
    );
  }
  const texts = new Set([...differences, ...known].map(canonicalJson));
  return (difference) => texts.has(canonicalJson(difference));
}
