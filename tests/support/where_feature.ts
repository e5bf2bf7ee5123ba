import { features } from "../../src/server/features.ts";

/** Whether the project has each of these features: one of them can be deleted. */
export function hasFeature(...names: readonly string[]): boolean {
  return names.every((name) => features.some((each) => each.name === name));
}
