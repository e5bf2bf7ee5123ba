import { isObject, parseJson } from "../../../server/util/text/json.ts";
import { LabError } from "../../util/lab_error.ts";

/** Reads a field; an empty one counts as missing. */
export function textField(form: URLSearchParams, name: string): string | undefined {
  return form.get(name)?.trim() || undefined;
}

/** Reads a field of words with spaces, commas or line breaks between them. */
export function wordsField(form: URLSearchParams, name: string): string[] | undefined {
  return textField(form, name)?.split(/[\s,]+/).filter(Boolean);
}

/** Reads a field that takes one value per line. */
export function linesField(form: URLSearchParams, name: string): string[] | undefined {
  return textField(form, name)?.split("\n").map((line) => line.trim()).filter(Boolean);
}

/** Reads a field that takes a JSON object. `label` is what the user sees. */
export function objectField(
  form: URLSearchParams,
  name: string,
  label: string,
): Record<string, unknown> | undefined {
  const text = textField(form, name);
  if (text === undefined) return undefined;
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw new LabError(`'${label}' must be a JSON object: {"name": "value"}.`, { field: name });
}

/** Returns an object without its undefined members. */
export function withoutUndefined<T extends object>(object: T): Partial<T> {
  const present = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Partial<T>;
}
