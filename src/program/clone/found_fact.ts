import type { PresetFile, PresetFileFact } from "../../lab/lab_server/preset_file.ts";
import type { PresetSettings } from "../../lab/providers/preset.ts";

/** What a source says about a provider, and the settings that play it. */
export interface FoundFact extends Pick<PresetFileFact, "says" | "isUncertain"> {
  /** Its id in the preset: `paths`. */
  id: string;
  plays: PresetSettings;
}

/** What was found in one source. */
export interface SourceFacts {
  /** The short name of the source: `metadata`. */
  source: string;
  /** The URL of the source, and which text was read. */
  from: [url: string, text: string];
  facts: readonly FoundFact[];
  /** What the lab does not play, or could not be known. */
  missing: readonly string[];
}

/** Makes a preset of what was found. */
export function presetOf(
  name: string,
  title: string,
  { source, from, facts, missing }: SourceFacts,
  stricter: readonly string[],
): PresetFile {
  const found = facts.map(({ id, says, plays, ...marks }): [string, PresetFileFact] => [
    id,
    { from: [source], says, plays: { ...plays }, ...marks },
  ]);
  return {
    preset: 1,
    name,
    title,
    sources: { [source]: from },
    facts: Object.fromEntries(found),
    stricter: [...stricter],
    missing: [...missing],
  };
}
