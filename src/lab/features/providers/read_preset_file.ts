import type { ReportProblem } from "../../../server/config/problems.ts";
import { checkValue, type ObjectSchema, type Schema } from "../../../server/config/schema.ts";
import { configSchema } from "../../../server/features.ts";
import { isObject } from "../../../server/util/text/json.ts";
import { LabError } from "../../util/lab_error.ts";
import { labFileSchema } from "../../util/lab_schema.ts";
import { providerNames } from "./config.ts";
import { hostProblems, type PathProblem } from "./host_problems.ts";
import { presetSettingNames, type ProviderPreset } from "./presets/preset.ts";

const settings: Readonly<Record<string, Schema>> = {
  ...configSchema.members,
  ...labFileSchema.members,
};

const presetSchema = findPresetSchema(labFileSchema.members.provider);

/** The largest preset, in characters of its JSON. */
const maxLength = 128 * 1024;
const maxTextLength = 4_000;
const maxEntries = 500;
const maxDepth = 16;

/** Names that lead to the prototype of an object. */
const prototypeNames: readonly string[] = ["__proto__", "constructor", "prototype"];

/** What the facts of a preset may set. */
const playsSchema: ObjectSchema = {
  type: "object",
  members: Object.fromEntries(
    presetSettingNames.map((name) => [name, settings[name] ?? { type: "unknown" }]),
  ),
};

const keyProblem = "has a key: the author of the file could sign tokens that a test trusts";

/**
 * Reads a preset that anyone may have written: untrusted data, of which only what a preset may set
 * is accepted.
 *
 * @throws {LabError} The value is not a valid preset; the message lists every problem.
 */
export function readPresetFile(value: unknown): ProviderPreset {
  const problems: string[] = [];
  const report: ReportProblem = (path, problem) => void problems.push(`${path} ${problem}`.trim());
  const tooLarge = sizeProblem(value);
  if (tooLarge !== undefined) report("", tooLarge);
  else checkValue(presetSchema, value, "", report);
  if (problems.length === 0) checkFacts(value as ProviderPreset, report);
  if (problems.length > 0) throw new LabError(`Cannot read the preset: ${problems.join("; ")}.`);
  // A copy: what the lab plays cannot be changed, and no getter runs later.
  return JSON.parse(JSON.stringify(value));
}

/** Returns why JSON from elsewhere is too large or too deep, or leads to a prototype. */
function sizeProblem(value: unknown): string | undefined {
  const problem = partProblem(value, maxDepth);
  if (problem !== undefined) return problem;
  const length = JSON.stringify(value)?.length ?? 0;
  return length > maxLength ? `is larger than ${maxLength / 1024} kB` : undefined;
}

function partProblem(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return textProblem(value);
  if (typeof value === "function") return "contains a function";
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === 0) return `is nested more than ${maxDepth} deep`;
  // Members without a name that `for … in` finds would be skipped: all own ones count.
  const names = Reflect.ownKeys(value).filter((name) => !Array.isArray(value) || name !== "length");
  if (names.length > maxEntries) return `contains more than ${maxEntries} entries in one place`;
  for (const name of names) {
    const problem = nameProblem(name) ?? partProblem(Reflect.get(value, name), depth - 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function nameProblem(name: string | symbol): string | undefined {
  if (typeof name === "symbol" || prototypeNames.includes(name)) {
    return `contains a member with the name '${String(name)}'`;
  }
  return textProblem(name);
}

function textProblem(text: string): string | undefined {
  if (text.length > maxTextLength) {
    return `contains a text of more than ${maxTextLength} characters`;
  }
  return text.isWellFormed() ? undefined : "contains malformed Unicode";
}

/** Checks what a schema cannot say. */
function checkFacts(
  { name, title, sources, facts }: ProviderPreset,
  report: ReportProblem,
): void {
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(name)) {
    report("name", "must have up to 32 lower-case letters, digits and hyphens");
  }
  if (providerNames.some((each) => each === name)) {
    report("name", `is '${name}', which the lab has a preset of; choose another`);
  }
  if (title.trim() === "") report("title", "must not be empty");
  for (const [id, { from, plays }] of Object.entries(facts)) {
    const unknown = from.find((source) => !Object.hasOwn(sources, source));
    if (unknown !== undefined) report(`facts.${id}.from`, `names '${unknown}', which is no source`);
    checkValue(playsSchema, plays, `facts.${id}.plays`, report);
    for (const [path, problem] of hostProblems(plays)) {
      report(`facts.${id}.plays.${path}`, problem);
    }
    for (const [path, problem] of keyProblems(plays, `facts.${id}.plays`)) report(path, problem);
  }
}

/**
 * Returns the keys in a preset: JWKs (RFC 7517, section 4.1), and certificates in PEM. A document
 * of the provider would publish them in place of those of the lab, and a header would name them.
 */
function keyProblems(value: unknown, path: string): PathProblem[] {
  if (typeof value === "string") return value.includes("-----BEGIN") ? [[path, keyProblem]] : [];
  if (Array.isArray(value)) {
    return value.flatMap((each, at) => keyProblems(each, `${path}[${at}]`));
  }
  if (!isObject(value)) return [];
  if (Object.hasOwn(value, "kty")) return [[path, keyProblem]];
  return Object.entries(value).flatMap(([name, each]) => keyProblems(each, `${path}.${name}`));
}

/** A provider is chosen by its name, or by the content of a file, which is the only object. */
function findPresetSchema(choice: Schema | undefined): ObjectSchema {
  const options = choice?.type === "anyOf" ? choice.options : [];
  const found = options.find((option) => option.type === "object");
  if (!found) throw new Error("No schema describes the content of a preset.");
  return found;
}
