import { lazyModule } from "../../../server/util/lazy_module.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { type Operation, operation } from "../../core/operation.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { providerNameOf, type ProviderSetting, type ProvidersSetting } from "./config.ts";

const providerOperation: Operation = operation("GET /providers/:name", {
  name: "show-provider",
  example: { segment: "google" },
  summary: "Describes what a lab plays of a provider, with the sources of each fact.",
  kind: "entry",
  returns: "DescribedProvider",
  page: { about: "What a lab plays of it, and where each fact is from. No provider endorses it." },
  run: (lab, { segment }) => describeProvider(lab, segment),
});

const { playedProviders } = lazyModule(() => import("./pages/played_providers.tsx"));

/** What a lab plays of a provider, and where each fact comes from. */
interface DescribedProvider {
  /** The provider, as its documentation names it. */
  title: string;
  facts: ProviderFact[];
  /** Where the lab is stricter than the provider. */
  stricterThanTheProvider: string[];
  /** What the provider has and the lab does not play. */
  notPlayed: string[];
  sources: ProviderSource[];
}

/** A fact about a provider. */
interface ProviderFact {
  /** The fact, as a sentence. */
  fact: string;
  /** The title of its test begins with it: `"github.form"`. */
  id: string;
  /** The ids of its sources. */
  sources: string[];
  /** Whether the sources leave doubt. */
  inDoubt?: boolean | undefined;
  /** Whether customers of the provider choose this themselves. */
  yourChoice?: boolean | undefined;
}

/** A text that facts about a provider come from. */
interface ProviderSource {
  id: string;
  /** Its address. */
  see: string;
  /** Its date, or its version. */
  read: string;
}

/** Describes a preset, from a file that the lab plays or from our own. */
export async function describeProvider(lab: CoreLab, name: string): Promise<DescribedProvider> {
  const { provider, providers = [] } = lab.settings.config<ProviderSetting & ProvidersSetting>();
  const played = [provider ?? [], ...providers].flat()
    .find((choice) => providerNameOf(choice) === name);
  const { loadPreset, requirePreset } = await import("./presets.ts");
  const preset = await (played === undefined ? loadPreset(name) : requirePreset(played));
  return {
    title: preset.title,
    facts: Object.entries(preset.facts).map(([id, fact]) => ({
      fact: fact.says,
      id: `${preset.name}.${id}`,
      sources: [...fact.from],
      inDoubt: fact.isUncertain,
      yourChoice: fact.isAdjustable,
    })),
    stricterThanTheProvider: [...preset.stricter],
    notPlayed: [...preset.missing],
    sources: Object.entries(preset.sources).map(([id, [see, read]]) => ({ id, see, read })),
  };
}

export const providerInterface: FeatureInterface = {
  operations: [providerOperation],
  homeSection: playedProviders,
};
