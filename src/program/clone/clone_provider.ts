import type { PresetFile } from "../../lab/lab_server/preset_file.ts";
import { presetOf } from "./found_fact.ts";
import { findInMetadata } from "./metadata_facts.ts";
import { presetNameFor } from "./preset_name.ts";
import type { ReadMetadata } from "./provider_metadata.ts";
import { unknownNotes } from "./unknown_notes.ts";

const stricter = ["The lab checks requests as it always does, except where a fact above is laxer."];

/** Makes a preset of what a provider publishes. By default, the host decides its name. */
export function cloneProvider(metadata: ReadMetadata, name?: string): PresetFile {
  const { host } = new URL(metadata.document.issuer);
  const preset = presetOf(name ?? presetNameFor(host), host, findInMetadata(metadata), stricter);
  return { ...preset, missing: [...preset.missing, ...unknownNotes] };
}
