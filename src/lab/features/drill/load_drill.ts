type DrillParts = typeof import("./drill_parts.ts");

let loaded: DrillParts | undefined;

/** Loads what a drill runs. A drill that starts after this shows its progress at once. */
export async function loadDrill(): Promise<DrillParts> {
  return loaded ??= await import("./drill_parts.ts");
}

/** Returns what a drill runs, if it has been loaded. */
export function loadedDrill(): DrillParts | undefined {
  return loaded;
}
