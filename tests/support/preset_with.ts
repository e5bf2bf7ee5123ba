import type { PresetFile } from "../../src/lab/testing/mod.ts";

/** Returns a preset as a file may hold it, with other settings. */
export function presetWith(plays: Record<string, unknown>): PresetFile {
  return {
    preset: 1,
    name: "acme",
    title: "Acme",
    sources: { metadata: ["https://id.acme.example/", "2026-11-22"] },
    facts: { all: { from: ["metadata"], says: "Acme is as it is.", plays } },
    stricter: [],
    missing: [],
  };
}
