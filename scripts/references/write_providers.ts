/** Writes the document about the providers that a lab plays, from their presets. */
import { readdirSync } from "node:fs";
import { features } from "../../src/lab/features.ts";
import type {
  PresetSettings,
  ProviderPreset,
} from "../../src/lab/features/providers/presets/preset.ts";
import { leniencyNames } from "../../src/lab/leniencies/leniencies.ts";
import { code, table } from "./markdown.ts";
import { moduleOf } from "./module_of.ts";

type Names = typeof import("../../src/lab/features/providers/config.ts");
type Presets = typeof import("../../src/lab/features/providers/presets.ts");
type Preset = typeof import("../../src/lab/features/providers/presets/preset.ts");
type Apply = typeof import("../../src/lab/features/providers/apply_preset.ts");

const folder = "lab/features/providers";
const tests = `tests/${folder}`;

const introduction = `# Providers that a lab plays

This page is generated (\`deno task generate\`). \`hallpass lab --provider github\` and \`hallpass({ provider: "github" })\` open a lab with the paths, names, types and errors of a provider; all else works as always. With \`providers: ["google", "entra"]\`, each provider has a tenant: \`/t/google\`, or \`lab.provider("google")\` in a test. A fault needs the tenant: \`lab.fault("token.server_error", { tenant: "google" })\`.

Point your client at the issuer that the lab prints. Take the endpoints from the metadata, or, where the provider has none, from the page **Setup**. APIs are below the issuer: \`http://localhost:9000/t/github/user\`.`;

const head = ["Name", "Provider", "The lab does not play"];

const leniencyHead = ["Leniency", "Presets"];

const evidence = (readOn: string, withoutMetadata: readonly string[]) =>
  `\`/lab/providers/NAME\` in any lab, as [its preset](../src/${folder}/presets), lists each fact with its sources, those in doubt, and where it is stricter than the provider. The lab refuses a setting that contradicts a fact, unless customers of the provider choose it themselves.
The sources were read on ${readOn}. [Tests](../${tests}) show each fact, and compare what the lab publishes with a copy of the provider's metadata, except for ${
    withoutMetadata.join(", ")
  }.`;

const about =
  `No provider made or endorses this. [A script](TESTING_A_CLIENT.md#a-provider-without-a-preset) makes a preset for a provider that is not listed.`;

/** Returns the document about all providers by its file; without the feature, there is none. */
export async function providerFiles(): Promise<Record<string, string>> {
  const { providerNames } = await moduleOf<Names>(`${folder}/config.ts`);
  const { loadPreset } = await moduleOf<Presets>(`${folder}/presets.ts`);
  const { readOn } = await moduleOf<Preset>(`${folder}/presets/preset.ts`);
  const { applyPreset } = await moduleOf<Apply>(`${folder}/apply_preset.ts`);
  if (!providerNames || !loadPreset || !readOn || !applyPreset) return {};
  const presets = await Promise.all(providerNames.map(loadPreset));
  const all = presets.map((preset) => {
    const settings = applyPreset<PresetSettings>(preset, {});
    return { preset, leniencies: leniencyNames(settings as never, features) };
  });
  return { ".github/PROVIDERS.md": providerReference(all, readOn) };
}

interface PresetLeniencies {
  preset: ProviderPreset;
  leniencies: string[];
}

function providerReference(all: readonly PresetLeniencies[], readOn: string): string {
  const common = (all[0]?.leniencies ?? []).filter((name) =>
    all.every((each) => each.leniencies.includes(name))
  );
  const presets = all.map(({ preset }) => preset);
  const rows = presets.map(({ name, title, missing }) => [code(name), title, missing.join(" ")]);
  const untested = presets.filter((preset) => !hasMetadataTest(preset)).map(({ name }) => name);
  const inCommon = `A leniency is laxer than our defaults: the report names it. Every preset has ${
    common.map(code).join(", ")
  }.`;
  const others = new Set(all.flatMap((each) => each.leniencies)).difference(new Set(common));
  const leniencies = table(
    leniencyHead,
    [...others].map((leniency) => {
      const having = all.filter((each) => each.leniencies.includes(leniency));
      return [code(leniency), having.map(({ preset }) => preset.name).join(", ")];
    }),
  );
  const [providers, sources] = [table(head, rows), evidence(readOn, untested)];
  return `${[introduction, providers, sources, inCommon, leniencies, about].join("\n\n")}\n`;
}

/** Whether a test compares the metadata of a preset with a stored copy of the provider's. */
function hasMetadataTest({ name }: ProviderPreset): boolean {
  return readdirSync(`${tests}/metadata`).some((file) =>
    file === `${name}.json` || file.startsWith(`${name}_`)
  );
}
