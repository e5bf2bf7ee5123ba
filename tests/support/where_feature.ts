import { existsSync } from "node:fs";
import process from "node:process";
import { labFileSchema } from "../../src/lab/util/lab_schema.ts";
import { configSchema, features } from "../../src/server/features.ts";

/**
 * Whether the project has each of these features: one of them can be deleted. A feature of lab
 * or program has the name of its folder.
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
    existsSync(`src/lab/features/${name}`) ||
    existsSync(`src/program/features/${name}/commands.ts`);
}

/** Returns the features that a row of a table needs, by the members of a lab that it calls. */
export function featuresOf(act: unknown): string[] {
  const members = [
    ["lab.fault(", "faults"],
    ["lab.next(", "faults"],
    ["lab.clientDocument(", "documents"],
    ["pollAfter(", "device"],
  ] as const;
  return members.flatMap(([call, feature]) => String(act).includes(call) ? [feature] : []);
}

/** Returns the options of a test that is about features, too: it needs each of them. */
export function needs(...names: readonly string[]): { skip: string | false } {
  return { skip: !hasFeature(...names) && `needs ${names.join(" and ")}` };
}

/** Returns the options of a test with settings of a lab, of which a deleted feature had some. */
export function needsSettings(settings: object): { skip: string | false } {
  const { HALLPASS_TEST_WITHOUT: deleted } = process.env;
  const known = { ...configSchema.members, ...labFileSchema.members, listen: {}, labToken: {} };
  const missing = Object.keys(settings).find((name) => !Object.hasOwn(known, name));
  return { skip: deleted !== undefined && missing !== undefined && `needs ${missing}` };
}
