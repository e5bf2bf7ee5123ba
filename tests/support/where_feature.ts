import { existsSync } from "node:fs";
import process from "node:process";
import { features } from "../../src/server/features.ts";

/**
 * Whether the project has each of these features: one of them can be deleted. A feature of the lab
 * has the name of its folder.
 */
export function hasFeature(...names: readonly string[]): boolean {
  const missing = names.find((name) => !isThere(name));
  // Only `deno task without` may leave out tests: elsewhere, a name is a mistake.
  if (missing !== undefined && process.env.HALLPASS_TEST_WITHOUT === undefined) {
    throw new Error(`There is no feature '${missing}'.`);
  }
  return missing === undefined;
}

function isThere(name: string): boolean {
  return features.some((each) => each.name === name) ||
    existsSync(`src/lab/features/${name}/feature.ts`);
}

/** Returns the options of a test that is about features, too: it needs each of them. */
export function needs(...names: readonly string[]): { skip: string | false } {
  return { skip: !hasFeature(...names) && `needs ${names.join(" and ")}` };
}
