import { isObject, parseJson } from "../../../server/util/text/json.ts";
import { showValue } from "../../util/json_values.ts";
import { LabError } from "../../util/lab_error.ts";
import type { Field } from "./fields.tsx";

type FormMembers = Record<string, unknown>;

/**
 * Reads what a form describes. An empty field counts as missing.
 *
 * @throws {LabError} A field cannot be read.
 */
export function readFields(fields: readonly Field[], form: URLSearchParams): FormMembers {
  let read: FormMembers = {};
  for (const field of flat(fields)) {
    const { kind, within } = field;
    const value = readField(field, form);
    if (value === undefined) continue;
    const held = membersIn(read, within);
    // Among other members, one that has a field is read from that field.
    const filled = kind === "others"
      ? { ...value, ...held }
      : { ...held, [memberOf(field)]: value };
    read = within === undefined ? filled : { ...read, [within]: filled };
  }
  return read;
}

export function fillFields(fields: readonly Field[], object: object): URLSearchParams {
  const filled = new URLSearchParams();
  const all = flat(fields);
  for (const field of all) {
    const members = membersIn(object, field.within);
    const value = field.kind === "others"
      ? othersIn(members, field, all)
      : members[memberOf(field)];
    for (const text of textsOf(field, value)) filled.append(field.name, text);
  }
  return filled;
}

/** Returns the name of the field that a setting comes from. */
export function fieldOf(
  fields: readonly Field[],
  setting: string,
  form: URLSearchParams,
): string | undefined {
  const all = flat(fields);
  const own = all.find(({ within, ...field }) =>
    field.name === setting || (within === undefined && memberOf(field) === setting)
  );
  // Boxes that are not ticked are not what is wrong.
  const isTicked = own?.kind === "check" || own?.kind === "boxes";
  const isOwn = own && (!isTicked || form.has(own.name));
  if (isOwn) return own.name;
  return all.find(({ kind, within }) => kind === "others" && within === undefined)?.name;
}

/** Returns the fields with those that are folded. */
function flat(all: readonly Field[]): Field[] {
  return all.flatMap((field) => field.fields ? flat(field.fields) : [field]);
}

function memberOf({ name, member = name }: Field): string {
  return member;
}

function readField({ name, label, kind = "text" }: Field, form: URLSearchParams): unknown {
  if (kind === "check") return form.has(name) ? true : undefined;
  if (kind === "boxes") return form.has(name) ? form.getAll(name) : undefined;
  const text = form.get(name)?.trim();
  if (!text) return undefined;
  switch (kind) {
    case "count":
      return readCount(text, name, label);
    case "words":
      return text.split(/[\s,]+/).filter(Boolean);
    case "lines":
      return text.split("\n").map((line) => line.trim()).filter(Boolean);
    case "json":
    case "others":
      return readObject(text, name, label);
    case "any":
      return parseJson(text) ?? text;
    default:
      return text;
  }
}

function readCount(text: string, field: string, label: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const problem = `'${text}' is not a whole number, which the field '${label}' needs.`;
  throw new LabError(problem, { field });
}

function readObject(text: string, field: string, label: string): FormMembers {
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw new LabError(`'${label}' must be a JSON object: {"name": "value"}.`, { field });
}

function membersIn(object: object, name: string | undefined): FormMembers {
  const members = object as FormMembers;
  return name === undefined ? members : (members[name] ?? {}) as FormMembers;
}

function othersIn(members: FormMembers, others: Field, fields: readonly Field[]): FormMembers {
  const taken = fields.filter((each) => each !== others && each.within === others.within).map(
    memberOf,
  );
  return Object.fromEntries(Object.entries(members).filter(([name]) => !taken.includes(name)));
}

function textsOf({ kind }: Field, value: unknown): readonly string[] {
  if (value === undefined) return [];
  switch (kind) {
    case "check":
      return value ? ["on"] : [];
    case "boxes":
      return [value].flat().map(String);
    case "lines":
      return [[value].flat().join("\n")];
    case "words":
      return [[value].flat().join(" ")];
    case "others":
      return isObject(value) && Object.keys(value).length === 0
        ? []
        : [JSON.stringify(value, null, 2)];
    default:
      return [showValue(value)];
  }
}
