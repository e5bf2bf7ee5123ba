import { isObject } from "../util/text/json.ts";
import { nearestName } from "../util/text/nearest_name.ts";
import { parseDuration } from "../util/time/duration.ts";
import { ownMember } from "../util/values/members.ts";
import { type Format, formatProblems } from "./formats.ts";
import { type ReportProblem, schemaAdvice } from "./problems.ts";

const maxListedNames = 12;

/**
 * The settings whose names differ from those of client metadata (RFC 7591, section 2), in any
 * spelling.
 */
const settingsOfMembers: Readonly<Record<string, string>> = {
  clientid: "id",
  clientsecret: "secret",
};

/** The allowed values of a setting. The terms are those of JSON Schema, where it has one. */
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

/** A number. Both bounds are allowed values. */
export interface NumberSchema {
  type: "number" | "integer";
  minimum: number;
  maximum?: number;
}

/** A duration: a number of seconds, or a string such as `5m`. The bounds are in seconds. */
export interface DurationSchema {
  type: "duration";
  minimum: number;
  maximum: number;
}

/** An object with these members and no others. */
export interface ObjectSchema {
  type: "object";
  members: Readonly<Record<string, Schema>>;
  required?: readonly string[];
}

/** Checks a value against a schema, and reports every problem, not only the first. */
export function checkValue(
  schema: Schema,
  value: unknown,
  path: string,
  report: ReportProblem,
): void {
  if (!hasType(schema, value)) {
    report(path, `must be ${describeSchema(schema)}`);
    return;
  }
  const problem = formatProblem(schema, value);
  if (problem) report(path, problem);
  if (schema.type === "anyOf") {
    const option = schema.options.find((each) => hasType(each, value));
    if (option) checkValue(option, value, path, report);
  } else if (schema.type === "array" && Array.isArray(value)) {
    // An iterator, unlike forEach, does not pass over the holes of a list.
    for (const [index, entry] of value.entries()) {
      checkValue(schema.items, entry, `${path}[${index}]`, report);
    }
  } else if (schema.type === "map" && isObject(value)) {
    for (const [name, entry] of Object.entries(value)) {
      checkValue(schema.values, entry, joinPath(path, name), report);
    }
  } else if (schema.type === "object" && isObject(value)) {
    checkMembers(schema, value, path, report);
  }
}

/**
 * Whether a value has the type of a schema, bounds of numbers and values of enums included. The
 * format of a string and the content of an object or list are not checked here.
 */
function hasType(schema: Schema, value: unknown): boolean {
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
      return schema.options.some((each) => hasType(each, value));
    case "array":
      return Array.isArray(value);
    case "map":
    case "object":
      return isObject(value);
  }
}

function isWithin({ type, minimum, maximum = Infinity }: NumberSchema, value: number): boolean {
  if (type === "integer" && !Number.isSafeInteger(value)) return false;
  return value >= minimum && value <= maximum;
}

/** Describes what is expected: "a list of strings", "'open' or an object". */
function describeSchema(schema: Schema): string {
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
      return schema.options.map(describeSchema).join(" or ");
    case "array":
      return `a list of ${describePlural(schema.items)}`;
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

function describePlural(schema: Schema): string {
  switch (schema.type) {
    case "anyOf":
      return schema.options.map(describePlural).join(" or ");
    case "unknown":
      return "values";
    case "enum":
      return "strings";
    case "integer":
      return "numbers";
    case "array":
      return "lists";
    case "map":
      return "objects";
    default:
      return `${schema.type}s`;
  }
}

function formatProblem(schema: Schema, value: unknown): string | undefined {
  if (schema.type === "duration") return durationProblem(schema, value);
  if (schema.type !== "string") return undefined;
  if (value === "") return "must not be empty";
  return schema.format && formatProblems[schema.format](String(value));
}

function durationProblem(schema: DurationSchema, value: unknown): string | undefined {
  const seconds = parseDuration(value);
  if (seconds === undefined) return `must be ${describeSchema(schema)}`;
  const { minimum, maximum } = schema;
  if (seconds >= minimum && seconds <= maximum) return undefined;
  return `must be between ${minimum} and ${maximum} seconds`;
}

function checkMembers(
  { members, required = [] }: ObjectSchema,
  value: Record<string, unknown>,
  path: string,
  report: ReportProblem,
): void {
  for (const name of Object.keys(value)) {
    const schema = ownMember(members, name);
    if (!schema) report(joinPath(path, name), unknownNameProblem(name, Object.keys(members)));
    else if (value[name] !== undefined) {
      checkValue(schema, value[name], joinPath(path, name), report);
    }
  }
  for (const name of required) {
    if (value[name] === undefined) report(joinPath(path, name), "is missing");
  }
}

function unknownNameProblem(name: string, names: readonly string[]): string {
  const setting = settingsOfMembers[name.replaceAll("_", "").toLowerCase()] ?? "";
  const nearest = names.includes(setting) ? setting : nearestName(name, names);
  const problem = `is not a setting${nearest ? ` (did you mean '${nearest}'?)` : ""}`;
  if (names.length <= maxListedNames) return `${problem}. Known settings: ${names.join(", ")}`;
  return nearest ? problem : `${problem}. ${schemaAdvice}`;
}

function joinPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
