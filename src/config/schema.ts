import { parseDuration } from "../util/duration.ts";
import { isObject } from "../util/json.ts";
import { nearestName } from "../util/nearest_name.ts";
import { type Format, formatProblems } from "./formats.ts";
import type { ReportProblem } from "./problems.ts";

const maxListedNames = 12;

/** What a value may be, in the words of JSON Schema as far as it has them. */
export type Schema =
  | { type: "string"; format?: Format }
  | { type: "boolean" | "function" | "unknown" }
  | NumberSchema
  | DurationSchema
  | { type: "enum"; values: readonly string[] }
  | { type: "anyOf"; options: readonly Schema[] }
  | { type: "array"; items: Schema }
  | { type: "map"; values: Schema }
  | ObjectSchema;

/** A number within bounds. */
export interface NumberSchema {
  type: "number" | "integer";
  minimum: number;
  maximum?: number;
}

/** A duration within bounds, in seconds. */
export interface DurationSchema {
  type: "duration";
  minimum: number;
  maximum: number;
}

/** An object with these members and no others. */
export interface ObjectSchema {
  type: "object";
  members: Readonly<Record<string, Schema>>;
  required: readonly string[];
}

/** Checks a value that came from outside, and reports every problem, so that all can be fixed at once. */
export function checkValue(
  schema: Schema,
  value: unknown,
  path: string,
  report: ReportProblem,
): void {
  if (!accepts(schema, value)) return report(path, `must be ${describe(schema)}`);
  const option = schema.type === "anyOf"
    ? schema.options.find((each) => accepts(each, value))
    : undefined;
  if (option) return checkValue(option, value, path, report);
  if (schema.type === "string" || schema.type === "duration") {
    const problem = textProblem(schema, value);
    if (problem) report(path, problem);
  } else if (schema.type === "array" && Array.isArray(value)) {
    value.forEach((entry, at) => checkValue(schema.items, entry, `${path}[${at}]`, report));
  } else if (schema.type === "map" && isObject(value)) {
    for (const [name, entry] of Object.entries(value)) {
      checkValue(schema.values, entry, join(path, name), report);
    }
  } else if (schema.type === "object" && isObject(value)) {
    checkMembers(schema, value, path, report);
  }
}

/** Whether a value has the type of a schema. What is in it is checked elsewhere. */
function accepts(schema: Schema, value: unknown): boolean {
  switch (schema.type) {
    case "unknown":
      return true;
    case "string":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "function":
      return typeof value === "function";
    case "number":
    case "integer":
      return typeof value === "number" && isWithin(schema, value);
    case "duration":
      return typeof value === "number" || typeof value === "string";
    case "enum":
      return schema.values.some((each) => each === value);
    case "anyOf":
      return schema.options.some((each) => accepts(each, value));
    case "array":
      return Array.isArray(value);
    case "map":
    case "object":
      return isObject(value);
  }
}

function isWithin({ type, minimum, maximum = Infinity }: NumberSchema, value: number): boolean {
  const isOfType = type === "number" || Number.isSafeInteger(value);
  return isOfType && value >= minimum && value <= maximum;
}

/** Describes what is expected: "a list of strings", "'open' or an object". */
function describe(schema: Schema): string {
  switch (schema.type) {
    case "boolean":
      return "true or false";
    case "number":
    case "integer":
      return describeNumber(schema);
    case "duration":
      return "a duration: seconds, or a string such as 30s, 5m, 1h, 30d";
    case "enum":
      return schema.values.length === 1
        ? `'${schema.values[0]}'`
        : `one of: ${schema.values.join(", ")}`;
    case "anyOf":
      return schema.options.map(describe).join(" or ");
    case "array":
      return `a list of ${plural(schema.items)}`;
    case "map":
    case "object":
      return "an object";
    default:
      return `a ${schema.type}`;
  }
}

function describeNumber({ type, minimum, maximum }: NumberSchema): string {
  const noun = type === "integer" ? "a whole number" : "a number";
  return maximum === undefined
    ? `${noun} of at least ${minimum}`
    : `${noun} between ${minimum} and ${maximum}`;
}

function plural(schema: Schema): string {
  if (schema.type === "anyOf") return schema.options.map(plural).join(" or ");
  return schema.type === "string" || schema.type === "enum" ? "strings" : "objects";
}

function textProblem(
  schema: { type: "string"; format?: Format } | DurationSchema,
  value: unknown,
): string | undefined {
  if (schema.type === "duration") return durationProblem(schema, value);
  if (value === "") return "must not be empty";
  return schema.format && formatProblems[schema.format](String(value));
}

function durationProblem(schema: DurationSchema, value: unknown): string | undefined {
  const seconds = parseDuration(value);
  if (seconds === undefined) return `must be ${describe(schema)}`;
  const { minimum, maximum } = schema;
  if (seconds >= minimum && seconds <= maximum) return undefined;
  return `must be between ${minimum} and ${maximum} seconds`;
}

function checkMembers(
  { members, required }: ObjectSchema,
  value: Record<string, unknown>,
  path: string,
  report: ReportProblem,
): void {
  const names = Object.keys(members);
  for (const name of Object.keys(value)) {
    if (!names.includes(name)) report(join(path, name), unknownProblem(name, names));
  }
  for (const [name, schema] of Object.entries(members)) {
    if (value[name] !== undefined) checkValue(schema, value[name], join(path, name), report);
    else if (required.includes(name)) report(join(path, name), "is missing");
  }
}

function unknownProblem(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  const suggestion = nearest ? ` did you mean '${nearest}'?` : "";
  const list = names.length > maxListedNames
    ? "hallpass schema lists every setting"
    : `known are: ${names.join(", ")}`;
  return `is not known;${suggestion} ${list}`;
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
